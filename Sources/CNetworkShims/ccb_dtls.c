#include "CNetworkShims.h"
#include <openssl/ssl.h>

void ccb_dtls_configure(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, DTLS1_2_VERSION);
    SSL_CTX_set_max_proto_version(context, DTLS1_2_VERSION);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set1_groups_list(context, "X25519:P-256:P-384");
}

void ccb_dtls_set_options(SSL *ssl, long mtu) {
    SSL_set_options(ssl, SSL_OP_NO_QUERY_MTU | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_TICKET);
    SSL_set_mtu(ssl, mtu);
    /* Hands the buffers of idle connections back. */
    SSL_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS);
}

int ccb_dtls_timeout(SSL *ssl, struct timeval *left) { return (int)DTLSv1_get_timeout(ssl, left); }
int ccb_dtls_handle_timeout(SSL *ssl) { return (int)DTLSv1_handle_timeout(ssl); }
size_t ccb_bio_pending(BIO *bio) { return BIO_ctrl_pending(bio); }
