#pragma once
/* What Swift cannot see of GLib, libnice, OpenSSL and usrsctp: macros, variadic functions, GObject signals and unions
 * passed by value. Everything here has the prefix ccb_. All functions return 0 or a positive value on success and a
 * negative one on failure, and belong to the thread that iterates the context (cb-net), unless noted. */
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

/* --- Event loop: a private GMainContext --- */

typedef struct ccb_loop ccb_loop;
typedef struct ccb_source ccb_source;

ccb_loop *ccb_loop_new(void);
/* Only after every source is freed. */
void ccb_loop_free(ccb_loop *loop);
/* Makes the context the default of the calling thread, so that asynchronous GLib calls come back to it. */
void ccb_loop_enter(ccb_loop *loop);
void ccb_loop_leave(ccb_loop *loop);
/* Waits for one source to become ready or for ccb_loop_wake, then dispatches what is ready. */
void ccb_loop_run_once(ccb_loop *loop);
/* Any thread. */
void ccb_loop_wake(ccb_loop *loop);

/* A timer that is not set; it fires once each time it is set. */
ccb_source *ccb_timer_new(ccb_loop *loop, void (*fire)(void *context), void *context);
/* Absolute time in microseconds of CLOCK_MONOTONIC; negative: never. */
void ccb_timer_set(ccb_source *timer, int64_t microseconds);
/* Calls ready whenever the descriptor is readable or broken (level-triggered). */
ccb_source *ccb_reader_new(ccb_loop *loop, int descriptor, void (*ready)(void *context), void *context);
/* Allowed inside the source's own callback; nothing is called afterwards. */
void ccb_source_free(ccb_source *source);

/* --- ICE: one agent with one stream of one component --- */

typedef struct ccb_ice ccb_ice;

enum ccb_ice_state { CCB_ICE_NEW, CCB_ICE_CONNECTING, CCB_ICE_CONNECTED, CCB_ICE_FAILED };
enum ccb_ice_relay { CCB_ICE_RELAY_UDP, CCB_ICE_RELAY_TCP };

typedef struct {
    /* candidate is "candidate:…" without "a="; valid during the call. */
    void (*candidate)(void *context, const char *candidate);
    void (*gathered)(void *context);
    void (*state)(void *context, int state);
    /* Types are "host", "srflx", "prflx", "relay"; valid during the call. */
    void (*selected)(void *context, const char *local_type, const char *remote_type, const char *transport);
    /* One datagram, writable in place; the memory behind it belongs to libnice and is 64 KiB long. */
    void (*received)(void *context, unsigned char *bytes, int count);
} ccb_ice_events;

typedef struct {
    int is_controlling;
    int uses_udp;
    int uses_tcp;
    int uses_relay_only;
    /* Name or address; NULL: no STUN server. */
    const char *stun_server;
    int stun_port;
    /* Both 0: any port. */
    int minimum_port;
    int maximum_port;
} ccb_ice_options;

/* Callbacks are made once a context is set, and none without one. */
ccb_ice *ccb_ice_new(ccb_loop *loop, const ccb_ice_options *options, const ccb_ice_events *events);
void ccb_ice_set_context(ccb_ice *ice, void *context);
/* Closes the sockets; relay allocations are released in the background while the loop runs. No callback afterwards. */
void ccb_ice_free(ccb_ice *ice);
int ccb_ice_add_local_address(ccb_ice *ice, const char *address);
int ccb_ice_add_relay(ccb_ice *ice, const char *server, int port, const char *user, const char *password, int relay);
int ccb_ice_gather(ccb_ice *ice);
int ccb_ice_local_credentials(ccb_ice *ice, char *user, size_t user_size, char *password, size_t password_size);
int ccb_ice_set_remote_credentials(ccb_ice *ice, const char *user, const char *password);
/* candidate is "candidate:…"; -1: not understood or not usable. */
int ccb_ice_add_remote_candidate(ccb_ice *ice, const char *candidate);
void ccb_ice_remote_candidates_done(ccb_ice *ice);
void ccb_ice_set_controlling(ccb_ice *ice, int is_controlling);
/* The local address from which the selected path leaves (a relayed one: the relay's), INET6_ADDRSTRLEN bytes; -1: no path. */
int ccb_ice_path_address(ccb_ice *ice, char *text, size_t size);
/* Bytes sent, or -1 when the socket would block or nothing is selected yet. */
int ccb_ice_send(ccb_ice *ice, const void *bytes, int count);

/* --- DTLS: macros of OpenSSL --- */

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;
typedef struct bio_st BIO;

/* DTLS 1.2 only, no sessions kept, today's curves. */
void ccb_dtls_configure(SSL_CTX *context);
void ccb_dtls_set_options(SSL *ssl, long mtu);
/* 1 and the time left, or 0 when no retransmission is due. */
int ccb_dtls_timeout(SSL *ssl, struct timeval *left);
/* Retransmits what is due; negative: given up. */
int ccb_dtls_handle_timeout(SSL *ssl);
size_t ccb_bio_pending(BIO *bio);

/* --- SCTP over DTLS (usrsctp, AF_CONN) --- */

typedef struct ccb_sctp ccb_sctp;

enum ccb_sctp_event { CCB_SCTP_UP, CCB_SCTP_DOWN, CCB_SCTP_STREAM_RESET };

/* Once per process: output is called with the identifier of the association, on whatever thread drives usrsctp. */
void ccb_sctp_library_start(int (*output)(uintptr_t identifier, const void *bytes, size_t count));
void ccb_sctp_library_advance(uint32_t milliseconds);

typedef struct {
    /* A message or a part of one: is_end tells the last part. */
    void (*received)(uintptr_t identifier, uint16_t stream, uint32_t protocol, const void *bytes, size_t count,
                     int is_end);
    void (*event)(uintptr_t identifier, int event, uint16_t stream);
} ccb_sctp_events;

/* Opens an association and starts to connect; packets leave with no more than mtu bytes. NULL: no memory. */
ccb_sctp *ccb_sctp_open(uintptr_t identifier, int local_port, int remote_port, int mtu, int stream_count,
                        int send_buffer_bytes, const ccb_sctp_events *events);
/* Aborts the association; the identifier is not used in callbacks afterwards. */
void ccb_sctp_close(ccb_sctp *sctp);
void ccb_sctp_input(uintptr_t identifier, const void *bytes, size_t count);
/* 0 sent, 1 the send buffer is full, -errno. Ordered and reliable. */
int ccb_sctp_send(ccb_sctp *sctp, uint16_t stream, uint32_t protocol, const void *bytes, size_t count);
int ccb_sctp_reset_stream(ccb_sctp *sctp, uint16_t stream);
