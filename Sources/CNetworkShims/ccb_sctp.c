#include "CNetworkShims.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <usrsctp.h>

static int (*library_output)(uintptr_t, const void *, size_t);

static int on_output(void *address, void *bytes, size_t count, uint8_t type_of_service, uint8_t set_df) {
    (void)type_of_service;
    (void)set_df;
    return library_output((uintptr_t)address, bytes, count);
}

void ccb_sctp_library_start(int (*output)(uintptr_t, const void *, size_t)) {
    library_output = output;
    usrsctp_init_nothreads(0, on_output, NULL);
    /* RFC 8831 needs neither; both would only cost packets inside a DTLS tunnel. */
    usrsctp_sysctl_set_sctp_ecn_enable(0);
    usrsctp_sysctl_set_sctp_asconf_enable(0);
    usrsctp_sysctl_set_sctp_auth_enable(0);
    usrsctp_sysctl_set_sctp_blackhole(2);
    /* A lost packet of a quiet channel is repeated after 200 ms instead of 1 s. */
    usrsctp_sysctl_set_sctp_rto_min_default(200);
    usrsctp_sysctl_set_sctp_rto_initial_default(500);
    usrsctp_sysctl_set_sctp_rto_max_default(10000);
}

void ccb_sctp_library_advance(uint32_t milliseconds) { usrsctp_handle_timers(milliseconds); }

struct ccb_sctp {
    struct socket *socket;
    uintptr_t identifier;
    ccb_sctp_events events;
};

static void on_notification(ccb_sctp *sctp, const union sctp_notification *note, size_t count) {
    if (count < sizeof note->sn_header || note->sn_header.sn_length != count) return;
    switch (note->sn_header.sn_type) {
    case SCTP_ASSOC_CHANGE:
        if (note->sn_assoc_change.sac_state == SCTP_COMM_UP)
            sctp->events.event(sctp->identifier, CCB_SCTP_UP, 0);
        else if (note->sn_assoc_change.sac_state != SCTP_RESTART)
            sctp->events.event(sctp->identifier, CCB_SCTP_DOWN, 0);
        break;
    case SCTP_STREAM_RESET_EVENT: {
        const struct sctp_stream_reset_event *reset = &note->sn_strreset_event;
        if (!(reset->strreset_flags & SCTP_STREAM_RESET_INCOMING_SSN)) break;
        size_t streams = (reset->strreset_length - sizeof *reset) / sizeof(uint16_t);
        for (size_t i = 0; i < streams; i++)
            sctp->events.event(sctp->identifier, CCB_SCTP_STREAM_RESET, reset->strreset_stream_list[i]);
        break;
    }
    default: break;
    }
}

static int on_received(struct socket *socket, union sctp_sockstore address, void *bytes, size_t count,
                       struct sctp_rcvinfo info, int flags, void *context) {
    (void)socket;
    (void)address;
    ccb_sctp *sctp = context;
    if (!bytes) return 1;
    if (!sctp) {
        free(bytes);
        return 1;
    }
    if (flags & MSG_NOTIFICATION)
        on_notification(sctp, bytes, count);
    else
        sctp->events.received(sctp->identifier, info.rcv_sid, ntohl(info.rcv_ppid), bytes, count,
                              (flags & MSG_EOR) != 0);
    free(bytes);
    return 1;
}

static struct sockaddr_conn address_of(uintptr_t identifier, int port) {
    struct sockaddr_conn address;
    memset(&address, 0, sizeof address);
    address.sconn_family = AF_CONN;
    address.sconn_port = htons((uint16_t)port);
    address.sconn_addr = (void *)identifier;
    return address;
}

static void subscribe(struct socket *socket, uint16_t type) {
    struct sctp_event event;
    memset(&event, 0, sizeof event);
    event.se_assoc_id = SCTP_ALL_ASSOC;
    event.se_on = 1;
    event.se_type = type;
    usrsctp_setsockopt(socket, IPPROTO_SCTP, SCTP_EVENT, &event, sizeof event);
}

ccb_sctp *ccb_sctp_open(uintptr_t identifier, int local_port, int remote_port, int mtu, int stream_count,
                        int send_buffer_bytes, const ccb_sctp_events *events) {
    ccb_sctp *sctp = calloc(1, sizeof *sctp);
    if (!sctp) return NULL;
    sctp->identifier = identifier;
    sctp->events = *events;
    usrsctp_register_address((void *)identifier);
    sctp->socket = usrsctp_socket(AF_CONN, SOCK_STREAM, IPPROTO_SCTP, on_received, NULL, 0, sctp);
    if (!sctp->socket) goto failed;
    usrsctp_set_non_blocking(sctp->socket, 1);
    struct linger linger = {1, 0};
    usrsctp_setsockopt(sctp->socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    usrsctp_setsockopt(sctp->socket, SOL_SOCKET, SO_SNDBUF, &send_buffer_bytes, sizeof send_buffer_bytes);
    int on = 1;
    usrsctp_setsockopt(sctp->socket, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof on);
    usrsctp_setsockopt(sctp->socket, IPPROTO_SCTP, SCTP_RECVRCVINFO, &on, sizeof on);
    struct sctp_assoc_value reset = {SCTP_ALL_ASSOC, SCTP_ENABLE_RESET_STREAM_REQ};
    usrsctp_setsockopt(sctp->socket, IPPROTO_SCTP, SCTP_ENABLE_STREAM_RESET, &reset, sizeof reset);
    subscribe(sctp->socket, SCTP_ASSOC_CHANGE);
    subscribe(sctp->socket, SCTP_STREAM_RESET_EVENT);
    struct sctp_initmsg streams = {(uint16_t)stream_count, (uint16_t)stream_count, 0, 0};
    usrsctp_setsockopt(sctp->socket, IPPROTO_SCTP, SCTP_INITMSG, &streams, sizeof streams);
    struct sockaddr_conn local = address_of(identifier, local_port);
    if (usrsctp_bind(sctp->socket, (struct sockaddr *)&local, sizeof local) != 0) goto failed;
    struct sctp_paddrparams path;
    memset(&path, 0, sizeof path);
    struct sockaddr_conn remote = address_of(identifier, remote_port);
    path.spp_flags = SPP_PMTUD_DISABLE;
    /* What the library adds behind this number is its common header. */
    path.spp_pathmtu = (uint32_t)mtu - 12;
    usrsctp_setsockopt(sctp->socket, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof path);
    if (usrsctp_connect(sctp->socket, (struct sockaddr *)&remote, sizeof remote) != 0 && errno != EINPROGRESS)
        goto failed;
    /* Again for the address itself, which exists only since the association does. */
    memcpy(&path.spp_address, &remote, sizeof remote);
    usrsctp_setsockopt(sctp->socket, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &path, sizeof path);
    return sctp;
failed:
    ccb_sctp_close(sctp);
    return NULL;
}

void ccb_sctp_close(ccb_sctp *sctp) {
    if (sctp->socket) {
        usrsctp_set_ulpinfo(sctp->socket, NULL);
        usrsctp_close(sctp->socket);
    }
    usrsctp_deregister_address((void *)sctp->identifier);
    free(sctp);
}

void ccb_sctp_input(uintptr_t identifier, const void *bytes, size_t count) {
    usrsctp_conninput((void *)identifier, bytes, count, 0);
}

int ccb_sctp_send(ccb_sctp *sctp, uint16_t stream, uint32_t protocol, const void *bytes, size_t count) {
    struct sctp_sndinfo info;
    memset(&info, 0, sizeof info);
    info.snd_sid = stream;
    info.snd_ppid = htonl(protocol);
    info.snd_flags = SCTP_EOR;
    ssize_t sent = usrsctp_sendv(sctp->socket, bytes, count, NULL, 0, &info, sizeof info, SCTP_SENDV_SNDINFO, 0);
    if (sent >= 0) return 0;
    return errno == EWOULDBLOCK || errno == EAGAIN ? 1 : -errno;
}

int ccb_sctp_reset_stream(ccb_sctp *sctp, uint16_t stream) {
    union {
        struct sctp_reset_streams request;
        uint8_t space[sizeof(struct sctp_reset_streams) + sizeof(uint16_t)];
    } reset;
    memset(&reset, 0, sizeof reset);
    reset.request.srs_flags = SCTP_STREAM_RESET_OUTGOING;
    reset.request.srs_number_streams = 1;
    memcpy(reset.request.srs_stream_list, &stream, sizeof stream);
    return usrsctp_setsockopt(sctp->socket, IPPROTO_SCTP, SCTP_RESET_STREAMS, &reset, sizeof reset) == 0 ? 0 : -errno;
}
