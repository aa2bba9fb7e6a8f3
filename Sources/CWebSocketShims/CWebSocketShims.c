#define _GNU_SOURCE
#include "CWebSocketShims.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "WakeDescriptor.h"

const size_t ccb_ws_headroom = LWS_PRE;

/* What a context points into for as long as it lives; lws frees it with the context. */
struct baggage {
    struct lws_protocols protocols[3];
    lws_retry_bo_t policy;
    char subprotocol[64];
};

static int log_levels;
static void (*log_emit)(int level, const char *line);

void ccb_ws_log(int levels, void (*emit)(int level, const char *line))
{
    log_levels = levels;
    log_emit = emit;
    lws_set_log_level(levels, emit);
}

#if LWS_LIBRARY_VERSION_NUMBER >= 4003000
/* The library's own log context is shared by all contexts and counts its users without a lock: with contexts on several
   threads the count goes wrong, and an assertion ends the process (libwebsockets issue 2544). */
static struct lws_log_cx *log_context_create(void)
{
    struct lws_log_cx *log = calloc(1, sizeof *log);
    if (log) {
        log->u.emit = log_emit ? log_emit : lwsl_emit_stderr;
        log->lll_flags = (uint32_t)log_levels;
    }
    return log;
}

const void *ccb_ws_log_context(struct lws_context *context) { return lwsl_context_get_cx(context); }

static void context_destroy(struct lws_context *context)
{
    struct lws_log_cx *log = lwsl_context_get_cx(context);
    lws_context_destroy(context);
    free(log);
}
#else
const void *ccb_ws_log_context(struct lws_context *context) { return context; }

static void context_destroy(struct lws_context *context) { lws_context_destroy(context); }
#endif

struct lws_context *ccb_ws_context_create(const struct ccb_ws_settings *settings, int *wake_fd)
{
    *wake_fd = -1;
    struct baggage *baggage = calloc(1, sizeof *baggage);
    if (!baggage)
        return NULL;
    snprintf(baggage->subprotocol, sizeof baggage->subprotocol, "%s", settings->subprotocol);
    baggage->policy.secs_since_valid_ping = (uint16_t)settings->ping_seconds;
    baggage->policy.secs_since_valid_hangup = (uint16_t)settings->silence_seconds;
    baggage->policy.jitter_percent = 20;
    baggage->protocols[0].name = "http";
    baggage->protocols[0].callback = settings->callback;
    if (*settings->subprotocol) {
        baggage->protocols[1].name = baggage->subprotocol;
        baggage->protocols[1].callback = settings->callback;
    }

    struct lws_context_creation_info info;
    memset(&info, 0, sizeof info);
    info.port = settings->is_server ? CONTEXT_PORT_NO_LISTEN_SERVER : CONTEXT_PORT_NO_LISTEN;
    info.protocols = baggage->protocols;
    info.user = settings->user;
    info.vhost_name = "callbox";
    info.gid = (gid_t)-1;
    info.uid = (uid_t)-1;
    info.fd_limit_per_thread = settings->descriptor_limit;
    info.retry_and_idle_policy = &baggage->policy;
    info.timeout_secs = settings->handshake_seconds;
    info.connect_timeout_secs = settings->handshake_seconds;
    info.timeout_secs_ah_idle = settings->handshake_seconds;
    info.keepalive_timeout = 5;
    /* HTTP/2 brings nothing here, and its parser is a large surface. */
    info.alpn = "http/1.1";
    info.server_string = "callbox";
    info.external_baggage_free_on_destroy = baggage;
    info.options = LWS_SERVER_OPTION_VALIDATE_UTF8;
    if (!settings->uses_ipv6)
        info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
    if (settings->serves_tls) {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_CREATE_VHOST_SSL_CTX;
        /* TLS 1.2 with forward secrecy and authenticated encryption, or 1.3. */
        info.ssl_cipher_list = "ECDHE+AESGCM:ECDHE+CHACHA20";
        info.ssl_options_set = SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1 | SSL_OP_NO_RENEGOTIATION;
    }
    if (settings->client_tls) {
        info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
        info.provided_client_ssl_ctx = settings->client_tls;
    }
#if LWS_LIBRARY_VERSION_NUMBER >= 4003000
    struct lws_log_cx *log = log_context_create();
    if (!log) {
        free(baggage);
        return NULL;
    }
    info.log_cx = log;
#endif
    ccb_recorded_eventfd = -1;
    ccb_records_eventfd = 1;
    struct lws_context *context = lws_create_context(&info);
    ccb_records_eventfd = 0;
#if LWS_LIBRARY_VERSION_NUMBER >= 4003000
    if (!context)
        free(log);
#endif
    *wake_fd = ccb_recorded_eventfd;
    return context;
}

void ccb_ws_context_destroy(struct lws_context *context, int wake_fd)
{
    int pipe_fds[2];
    /* Our own pipe takes the descriptor's place: whether its other end hears a hang-up then tells whether the library
       closed it, and as long as it does not, the number cannot have become somebody else's. */
    if (wake_fd < 0 || pipe2(pipe_fds, O_CLOEXEC | O_NONBLOCK) != 0) {
        context_destroy(context);
        return;
    }
    int is_replaced = dup3(pipe_fds[1], wake_fd, O_CLOEXEC) == wake_fd;
    close(pipe_fds[1]);
    context_destroy(context);
    struct pollfd entry = {.fd = pipe_fds[0]};
    if (is_replaced && poll(&entry, 1, 0) == 0)
        close(wake_fd);
    close(pipe_fds[0]);
}

struct lws_vhost *ccb_ws_vhost(struct lws_context *context)
{
    return lws_get_vhost_by_name(context, "callbox");
}

struct lws *ccb_ws_adopt_listener(struct lws_context *context, int fd)
{
    lws_sock_file_fd_type descriptor;
    memset(&descriptor, 0, sizeof descriptor);
    descriptor.filefd = fd;
    return lws_adopt_descriptor_vhost(ccb_ws_vhost(context), LWS_ADOPT_RAW_FILE_DESC, descriptor, "http", NULL);
}

struct lws *ccb_ws_adopt_connection(struct lws_context *context, int fd, int uses_tls)
{
    lws_sock_file_fd_type descriptor;
    memset(&descriptor, 0, sizeof descriptor);
    descriptor.sockfd = fd;
    return lws_adopt_descriptor_vhost(
        ccb_ws_vhost(context), LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP | (uses_tls ? LWS_ADOPT_ALLOW_SSL : 0), descriptor,
        NULL, NULL);
}

struct lws *ccb_ws_connect(
    struct lws_context *context, const char *address, int port, const char *host, const char *path,
    const char *subprotocol, int uses_tls)
{
    struct lws_client_connect_info info;
    memset(&info, 0, sizeof info);
    info.context = context;
    info.vhost = ccb_ws_vhost(context);
    info.address = address;
    info.port = port;
    info.host = host;
    info.path = path;
    info.protocol = *subprotocol ? subprotocol : NULL;
    info.local_protocol_name = *subprotocol ? subprotocol : "http";
    info.ssl_connection = uses_tls ? LCCSCF_USE_SSL : 0;
    info.ssl_connection |= LCCSCF_HTTP_NO_FOLLOW_REDIRECT;
    info.ietf_version_or_minus_one = -1;
    info.alpn = "http/1.1";
    return lws_client_connect_via_info(&info);
}

struct ccb_ws_timer {
    lws_sorted_usec_list_t entry;
    struct lws_context *context;
    int64_t microseconds;
    void (*fire)(void *);
    void *argument;
};

static void timer_fired(lws_sorted_usec_list_t *entry)
{
    struct ccb_ws_timer *timer = lws_container_of(entry, struct ccb_ws_timer, entry);
    lws_sul_schedule(timer->context, 0, &timer->entry, timer_fired, timer->microseconds);
    timer->fire(timer->argument);
}

struct ccb_ws_timer *ccb_ws_timer_start(
    struct lws_context *context, int64_t microseconds, void (*fire)(void *), void *argument)
{
    struct ccb_ws_timer *timer = calloc(1, sizeof *timer);
    if (!timer)
        return NULL;
    timer->context = context;
    timer->microseconds = microseconds;
    timer->fire = fire;
    timer->argument = argument;
    lws_sul_schedule(context, 0, &timer->entry, timer_fired, microseconds);
    return timer;
}

void ccb_ws_timer_stop(struct ccb_ws_timer *timer)
{
    if (!timer)
        return;
    lws_sul_schedule(timer->context, 0, &timer->entry, timer_fired, LWS_SET_TIMER_USEC_CANCEL);
    free(timer);
}

void ccb_ws_close_reason(struct lws *wsi, unsigned code, const char *text)
{
    /* RFC 6455 5.5.1: 125 bytes with the code. */
    size_t length = strnlen(text, 123);
    lws_close_reason(wsi, (enum lws_close_status)code, (unsigned char *)text, length);
}

void ccb_ws_kill(struct lws *wsi)
{
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
}

void ccb_ws_repeat_soon(struct lws *wsi)
{
    enum { thin_linear_timeouts = 16, longest_rto_ms = 44 };
    int descriptor = lws_get_socket_fd(lws_get_network_wsi(wsi)), on = 1, longest = 1000;
    /* A kernel that does not know them goes on without. */
    setsockopt(descriptor, IPPROTO_TCP, thin_linear_timeouts, &on, sizeof on);
    setsockopt(descriptor, IPPROTO_TCP, longest_rto_ms, &longest, sizeof longest);
}

void ccb_ws_set_timeout(struct lws *wsi, int seconds)
{
    lws_set_timeout(wsi, seconds ? PENDING_TIMEOUT_HTTP_CONTENT : NO_PENDING_TIMEOUT, seconds);
}

int ccb_ws_accept(int listener, char *address, size_t capacity, int *is_loopback)
{
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    int fd = accept4(listener, (struct sockaddr *)&peer, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return -errno;
    *address = 0;
    *is_loopback = 0;
    if (peer.ss_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)&peer;
        inet_ntop(AF_INET, &in->sin_addr, address, (socklen_t)capacity);
        *is_loopback = ntohl(in->sin_addr.s_addr) >> 24 == 127;
    } else if (peer.ss_family == AF_INET6) {
        const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&peer;
        const uint8_t *bytes = in6->sin6_addr.s6_addr;
        if (IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr)) {
            inet_ntop(AF_INET, bytes + 12, address, (socklen_t)capacity);
            *is_loopback = bytes[12] == 127;
        } else {
            inet_ntop(AF_INET6, bytes, address, (socklen_t)capacity);
            *is_loopback = IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
        }
    }
    return fd;
}

int ccb_ws_listen(int family, const char *address, uint16_t *port, int is_dual)
{
    struct sockaddr_storage local;
    socklen_t size;
    memset(&local, 0, sizeof local);
    local.ss_family = (sa_family_t)family;
    if (family == AF_INET) {
        struct sockaddr_in *in = (struct sockaddr_in *)&local;
        in->sin_port = htons(*port);
        if (inet_pton(AF_INET, address, &in->sin_addr) != 1)
            return -EINVAL;
        size = sizeof *in;
    } else {
        struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&local;
        in6->sin6_port = htons(*port);
        if (inet_pton(AF_INET6, address, &in6->sin6_addr) != 1)
            return -EINVAL;
        size = sizeof *in6;
    }
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -errno;
    int one = 1, only_v6 = !is_dual;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only_v6, sizeof only_v6);
    if (bind(fd, (struct sockaddr *)&local, size) < 0 || listen(fd, 32) < 0 ||
        getsockname(fd, (struct sockaddr *)&local, &size) < 0) {
        int problem = errno;
        close(fd);
        return -problem;
    }
    *port = ntohs(family == AF_INET ? ((struct sockaddr_in *)&local)->sin_port
                                    : ((struct sockaddr_in6 *)&local)->sin6_port);
    return fd;
}
