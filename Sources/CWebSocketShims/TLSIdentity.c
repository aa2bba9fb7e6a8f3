#include "CWebSocketShims.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

struct ccb_tls_identity {
    X509 *certificate;
    EVP_PKEY *key;
    /* The certificates above it; may be NULL. */
    STACK_OF(X509) *chain;
};

void ccb_tls_free(struct ccb_tls_identity *identity)
{
    if (!identity)
        return;
    X509_free(identity->certificate);
    EVP_PKEY_free(identity->key);
    sk_X509_pop_free(identity->chain, X509_free);
    free(identity);
}

/* A key with a pass phrase must fail, not ask on the terminal. */
static int no_pass_phrase(char *buffer, int size, int is_writing, void *argument)
{
    (void)buffer, (void)size, (void)is_writing, (void)argument;
    return -1;
}

static int read_certificates(struct ccb_tls_identity *identity, const char *path)
{
    BIO *file = BIO_new_file(path, "r");
    if (!file)
        return 0;
    identity->certificate = PEM_read_bio_X509_AUX(file, NULL, no_pass_phrase, NULL);
    identity->chain = sk_X509_new_null();
    for (X509 *above; identity->certificate && identity->chain &&
                      (above = PEM_read_bio_X509(file, NULL, no_pass_phrase, NULL));) {
        if (!sk_X509_push(identity->chain, above)) {
            X509_free(above);
            break;
        }
    }
    BIO_free(file);
    return identity->certificate != NULL;
}

struct ccb_tls_identity *ccb_tls_load(const char *certificate, const char *key, int *problem)
{
    struct ccb_tls_identity *identity = calloc(1, sizeof *identity);
    *problem = CCB_TLS_LIBRARY;
    if (!identity)
        return NULL;
    if (!read_certificates(identity, certificate)) {
        *problem = CCB_TLS_CERTIFICATE_UNREADABLE;
        goto failed;
    }
    BIO *file = BIO_new_file(key, "r");
    if (file) {
        identity->key = PEM_read_bio_PrivateKey(file, NULL, no_pass_phrase, NULL);
        BIO_free(file);
    }
    if (!identity->key) {
        *problem = CCB_TLS_KEY_UNREADABLE;
        goto failed;
    }
    if (X509_check_private_key(identity->certificate, identity->key) != 1) {
        *problem = CCB_TLS_KEY_MISMATCH;
        goto failed;
    }
    *problem = 0;
    ERR_clear_error();
    return identity;
failed:
    ERR_clear_error();
    ccb_tls_free(identity);
    return NULL;
}

static int add_extension(X509 *certificate, int kind, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, (char *)value);
    if (!extension)
        return 0;
    int result = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return result;
}

struct ccb_tls_identity *ccb_tls_make(const char *common_name, const char *names, long days)
{
    struct ccb_tls_identity *identity = calloc(1, sizeof *identity);
    if (!identity)
        return NULL;
    X509 *certificate = identity->certificate = X509_new();
    identity->key = EVP_EC_gen("P-256");
    uint64_t serial = 0;
    if (!certificate || !identity->key || RAND_bytes((unsigned char *)&serial, sizeof serial) != 1)
        goto failed;
    X509_NAME *name = X509_get_subject_name(certificate);
    if (!X509_set_version(certificate, X509_VERSION_3) ||
        !ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1 | 1) ||
        /* A day back: boards' clocks differ, and some are wrong at boot. */
        !X509_gmtime_adj(X509_getm_notBefore(certificate), -24L * 3600) ||
        !X509_time_adj_ex(X509_getm_notAfter(certificate), (int)days, 0, NULL) ||
        !X509_set_pubkey(certificate, identity->key) ||
        !X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, (const unsigned char *)common_name, -1, -1, 0) ||
        !X509_set_issuer_name(certificate, name) ||
        !add_extension(certificate, NID_basic_constraints, "critical,CA:FALSE") ||
        !add_extension(certificate, NID_key_usage, "critical,digitalSignature") ||
        !add_extension(certificate, NID_ext_key_usage, "serverAuth") ||
        (*names && !add_extension(certificate, NID_subject_alt_name, names)) ||
        !X509_sign(certificate, identity->key, EVP_sha256()))
        goto failed;
    return identity;
failed:
    ERR_clear_error();
    ccb_tls_free(identity);
    return NULL;
}

int ccb_tls_save(const struct ccb_tls_identity *identity, const char *path)
{
    char temporary[4096];
    if (snprintf(temporary, sizeof temporary, "%s.new", path) >= (int)sizeof temporary)
        return -ENAMETOOLONG;
    unlink(temporary);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    FILE *file = fdopen(fd, "w");
    if (!file) {
        int problem = errno;
        close(fd);
        return -problem;
    }
    int is_written = PEM_write_X509(file, identity->certificate) == 1 &&
                     PEM_write_PrivateKey(file, identity->key, NULL, NULL, 0, NULL, NULL) == 1 && fflush(file) == 0 &&
                     fsync(fd) == 0;
    int problem = is_written ? 0 : errno ? errno : EIO;
    if (fclose(file) != 0 && !problem)
        problem = errno;
    if (!problem && rename(temporary, path) != 0)
        problem = errno;
    if (problem)
        unlink(temporary);
    return -problem;
}

void ccb_tls_fingerprint(const struct ccb_tls_identity *identity, uint8_t digest[32])
{
    unsigned length = 32;
    if (X509_digest(identity->certificate, EVP_sha256(), digest, &length) != 1)
        memset(digest, 0, 32);
}

int64_t ccb_tls_remaining_seconds(const struct ccb_tls_identity *identity)
{
    int days = 0, seconds = 0;
    if (!ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(identity->certificate)))
        return 0;
    return (int64_t)days * 86400 + seconds;
}

int ccb_tls_install(const struct ccb_tls_identity *identity, SSL_CTX *context)
{
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    int result = SSL_CTX_use_cert_and_key(context, identity->certificate, identity->key, identity->chain, 1);
    ERR_clear_error();
    return result == 1;
}

/* Takes the place of OpenSSL's own verification, so that a pin needs no trusted issuer and no right clock. */
static int check_server(X509_STORE_CTX *store, void *argument)
{
    struct ccb_tls_check *check = argument;
    if (check->is_pinned) {
        uint8_t digest[32];
        unsigned length = sizeof digest;
        X509 *certificate = X509_STORE_CTX_get0_cert(store);
        if (!certificate || X509_digest(certificate, EVP_sha256(), digest, &length) != 1 ||
            CRYPTO_memcmp(digest, check->fingerprint, sizeof digest) != 0) {
            check->problem = -1;
            X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_UNTRUSTED);
            return 0;
        }
        X509_STORE_CTX_set_error(store, X509_V_OK);
        return 1;
    }
    if (*check->ipv6) {
        X509_VERIFY_PARAM *param = X509_STORE_CTX_get0_param(store);
        if (!X509_VERIFY_PARAM_set1_host(param, NULL, 0) || !X509_VERIFY_PARAM_set1_ip_asc(param, check->ipv6))
            return 0;
    }
    int result = X509_verify_cert(store);
    if (result != 1)
        check->problem = X509_STORE_CTX_get_error(store);
    return result == 1;
}

SSL_CTX *ccb_tls_client_context(struct ccb_tls_check *check, const char *ca_file)
{
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context)
        return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_cert_verify_callback(context, check_server, check);
    int is_ready = check->is_pinned ? 1
                   : ca_file        ? SSL_CTX_load_verify_locations(context, ca_file, NULL)
                                    : SSL_CTX_set_default_verify_paths(context);
    ERR_clear_error();
    if (is_ready == 1)
        return context;
    SSL_CTX_free(context);
    return NULL;
}

void ccb_tls_forget_authorities(SSL_CTX *context)
{
    X509_STORE *empty = X509_STORE_new();
    if (empty)
        SSL_CTX_set_cert_store(context, empty);
}
