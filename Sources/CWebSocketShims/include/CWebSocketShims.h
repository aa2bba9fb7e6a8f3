#pragma once
/* What Swift cannot see of libwebsockets and OpenSSL (macros, unions, structures that differ between their versions).
   Everything here has the prefix ccb_. Nothing here keeps state of its own. */
#include <libwebsockets.h>
#include <openssl/ssl.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that lws_write and lws_finalize_write_http_header may write before the payload. */
extern const size_t ccb_ws_headroom;

struct ccb_ws_settings {
    lws_callback_function *callback;
    /* lws_context_user() of the context. */
    void *user;
    /* The WebSocket subprotocol, or an empty text for none. */
    const char *subprotocol;
    /* Descriptors at most; lws sizes its tables by it, by RLIMIT_NOFILE otherwise. */
    unsigned descriptor_limit;
    /* Every step of a handshake must be over within so many seconds. */
    unsigned handshake_seconds;
    unsigned ping_seconds;
    unsigned silence_seconds;
    int is_server;
    int uses_ipv6;
    /* Server: TLS; the callback LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS installs the identity. */
    int serves_tls;
    /* Client: from ccb_tls_client_context(), NULL for plain connections. */
    SSL_CTX *client_tls;
};

/* Where the library's own lines go, for all contexts made from now on. Once, before the first context. */
void ccb_ws_log(int levels, void (*emit)(int level, const char *line));

/* A context with one vhost, which does not listen by itself. NULL: no memory or descriptors.
   *wake_fd: for ccb_ws_context_destroy; -1 when it is not known. */
struct lws_context *ccb_ws_context_create(const struct ccb_ws_settings *settings, int *wake_fd);
/* Destroys a context, and closes the wake-up descriptor that libwebsockets 4.3 forgets. */
void ccb_ws_context_destroy(struct lws_context *context, int wake_fd);
/* What the context counts its users in, for tests: no two contexts may share it. */
const void *ccb_ws_log_context(struct lws_context *context);
struct lws_vhost *ccb_ws_vhost(struct lws_context *context);

/* Adopts a listening socket: its callback gets LWS_CALLBACK_RAW_RX_FILE when a connection waits. lws owns it from now on. */
struct lws *ccb_ws_adopt_listener(struct lws_context *context, int fd);
/* Adopts an accepted connection; lws owns it from now on, and closes it when it returns NULL. */
struct lws *ccb_ws_adopt_connection(struct lws_context *context, int fd, int uses_tls);

/* Starts a client connection; see lws_client_connect_via_info. address is numeric, host what the server is called. */
struct lws *ccb_ws_connect(
    struct lws_context *context, const char *address, int port, const char *host, const char *path,
    const char *subprotocol, int uses_tls);

/* A repeating timer on the context's thread. */
struct ccb_ws_timer;
struct ccb_ws_timer *ccb_ws_timer_start(
    struct lws_context *context, int64_t microseconds, void (*fire)(void *), void *argument);
void ccb_ws_timer_stop(struct ccb_ws_timer *timer);

/* Closes the connection with this code once the callback that calls it returns -1. */
void ccb_ws_close_reason(struct lws *wsi, unsigned code, const char *text);
/* Closes without a word at the next turn of the loop; usable outside of the connection's callbacks. */
void ccb_ws_kill(struct lws *wsi);
/* After a gap in the network what was lost is sent again within a second, as far as the kernel knows how (since 6.15;
   before that only the first repetitions come evenly). */
void ccb_ws_repeat_soon(struct lws *wsi);
/* The connection must make progress within so many seconds. */
void ccb_ws_set_timeout(struct lws *wsi, int seconds);

/* Accepts one waiting connection, close-on-exec and non-blocking. Returns the descriptor or -errno; writes the peer's address
   as text and whether it is a loopback address. */
int ccb_ws_accept(int listener, char *address, size_t capacity, int *is_loopback);
/* A listening socket. family: AF_INET or AF_INET6. Returns the descriptor or -errno; *port is read and written. */
int ccb_ws_listen(int family, const char *address, uint16_t *port, int is_dual);

/* A certificate with its key. */
struct ccb_tls_identity;
enum ccb_tls_problem {
    CCB_TLS_CERTIFICATE_UNREADABLE = 1,
    CCB_TLS_KEY_UNREADABLE,
    CCB_TLS_KEY_MISMATCH,
    CCB_TLS_LIBRARY,
};
/* PEM files; the certificate's file may hold its chain. NULL: *problem is set. */
struct ccb_tls_identity *ccb_tls_load(const char *certificate, const char *key, int *problem);
/* A self-signed ECDSA P-256 certificate. names: comma-separated, "DNS:door.local,IP:192.0.2.1". */
struct ccb_tls_identity *ccb_tls_make(const char *common_name, const char *names, long days);
/* Writes certificate and key as PEM to one file, mode 0600, by way of a temporary one. Returns 0 or -errno. */
int ccb_tls_save(const struct ccb_tls_identity *identity, const char *path);
void ccb_tls_fingerprint(const struct ccb_tls_identity *identity, uint8_t digest[32]);
/* Seconds until it expires; negative: it has. */
int64_t ccb_tls_remaining_seconds(const struct ccb_tls_identity *identity);
int ccb_tls_install(const struct ccb_tls_identity *identity, SSL_CTX *context);
void ccb_tls_free(struct ccb_tls_identity *identity);

/* How a client checks its server; must outlive the context made with it. */
struct ccb_tls_check {
    /* Only a certificate with this SHA-256 is accepted, whoever signed it. */
    int is_pinned;
    uint8_t fingerprint[32];
    /* The server's IPv6 address, which libwebsockets cannot check by itself; empty for any other host. */
    char ipv6[48];
    /* X509_V_… of the last refusal; -1 is a wrong fingerprint. */
    int problem;
};
/* ca_file: NULL for the system's. NULL: the file cannot be used. Freed by SSL_CTX_free. */
SSL_CTX *ccb_tls_client_context(struct ccb_tls_check *check, const char *ca_file);
/* Frees the authorities' certificates (megabytes for the system's); for after the handshake. */
void ccb_tls_forget_authorities(SSL_CTX *context);
