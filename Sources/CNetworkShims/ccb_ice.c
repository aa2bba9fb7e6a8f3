#include "CNetworkShims.h"
#include <netinet/in.h>
#include <nice/agent.h>
#include <string.h>

struct ccb_ice {
    NiceAgent *agent;
    guint stream;
    GMainContext *context;
    ccb_ice_events events;
    void *user;
    gboolean has_relay;
};

static const guint component = NICE_COMPONENT_TYPE_RTP;

static const char *type_name(NiceCandidateType type) {
    switch (type) {
    case NICE_CANDIDATE_TYPE_HOST: return "host";
    case NICE_CANDIDATE_TYPE_SERVER_REFLEXIVE: return "srflx";
    case NICE_CANDIDATE_TYPE_PEER_REFLEXIVE: return "prflx";
    case NICE_CANDIDATE_TYPE_RELAYED: return "relay";
    }
    return "unknown";
}

static void on_candidate(NiceAgent *agent, NiceCandidate *candidate, gpointer user) {
    ccb_ice *ice = user;
    if (!ice->user) return;
    gchar *text = nice_agent_generate_local_candidate_sdp(agent, candidate);
    if (!text) return;
    ice->events.candidate(ice->user, g_str_has_prefix(text, "a=") ? text + 2 : text);
    g_free(text);
}

static void on_gathered(NiceAgent *agent, guint stream, gpointer user) {
    (void)agent;
    (void)stream;
    ccb_ice *ice = user;
    if (ice->user) ice->events.gathered(ice->user);
}

static void on_state(NiceAgent *agent, guint stream, guint number, guint state, gpointer user) {
    (void)agent;
    (void)stream;
    (void)number;
    ccb_ice *ice = user;
    if (!ice->user) return;
    switch (state) {
    case NICE_COMPONENT_STATE_CONNECTING: ice->events.state(ice->user, CCB_ICE_CONNECTING); break;
    case NICE_COMPONENT_STATE_CONNECTED:
    case NICE_COMPONENT_STATE_READY: ice->events.state(ice->user, CCB_ICE_CONNECTED); break;
    case NICE_COMPONENT_STATE_FAILED: ice->events.state(ice->user, CCB_ICE_FAILED); break;
    default: break;
    }
}

static void on_selected(NiceAgent *agent, guint stream, guint number, NiceCandidate *local, NiceCandidate *remote,
                        gpointer user) {
    (void)agent;
    (void)stream;
    (void)number;
    ccb_ice *ice = user;
    if (ice->user) ice->events.selected(ice->user, type_name(local->type), type_name(remote->type),
                         local->transport == NICE_CANDIDATE_TRANSPORT_UDP ? "udp" : "tcp");
}

static void on_received(NiceAgent *agent, guint stream, guint number, guint count, gchar *bytes, gpointer user) {
    (void)agent;
    (void)stream;
    (void)number;
    ccb_ice *ice = user;
    if (ice->user) ice->events.received(ice->user, (unsigned char *)bytes, (int)count);
}

ccb_ice *ccb_ice_new(ccb_loop *loop, const ccb_ice_options *options, const ccb_ice_events *events) {
    ccb_ice *ice = g_new0(ccb_ice, 1);
    ice->events = *events;
    ice->context = (GMainContext *)loop;
    ice->agent = nice_agent_new_full(ice->context, NICE_COMPATIBILITY_RFC5245,
                                     NICE_AGENT_OPTION_REGULAR_NOMINATION | NICE_AGENT_OPTION_ICE_TRICKLE
                                         | NICE_AGENT_OPTION_CONSENT_FRESHNESS);
    g_object_set(ice->agent, "upnp", FALSE, "keepalive-conncheck", TRUE, "controlling-mode",
                 options->is_controlling ? TRUE : FALSE, "ice-udp", options->uses_udp ? TRUE : FALSE, "ice-tcp",
                 options->uses_tcp ? TRUE : FALSE, "force-relay", options->uses_relay_only ? TRUE : FALSE, NULL);
    if (options->stun_server)
        g_object_set(ice->agent, "stun-server", options->stun_server, "stun-server-port", (guint)options->stun_port,
                     NULL);
    ice->stream = nice_agent_add_stream(ice->agent, 1);
    if (ice->stream == 0) {
        g_object_unref(ice->agent);
        g_free(ice);
        return NULL;
    }
    if (options->minimum_port > 0 && options->maximum_port >= options->minimum_port)
        nice_agent_set_port_range(ice->agent, ice->stream, component, (guint)options->minimum_port,
                                  (guint)options->maximum_port);
    g_signal_connect(ice->agent, "new-candidate-full", G_CALLBACK(on_candidate), ice);
    g_signal_connect(ice->agent, "candidate-gathering-done", G_CALLBACK(on_gathered), ice);
    g_signal_connect(ice->agent, "component-state-changed", G_CALLBACK(on_state), ice);
    g_signal_connect(ice->agent, "new-selected-pair-full", G_CALLBACK(on_selected), ice);
    nice_agent_attach_recv(ice->agent, ice->stream, component, ice->context, on_received, ice);
    return ice;
}

void ccb_ice_set_context(ccb_ice *ice, void *context) { ice->user = context; }

static void on_closed(GObject *agent, GAsyncResult *result, gpointer user) {
    (void)result;
    (void)user;
    g_object_unref(agent);
}

void ccb_ice_free(ccb_ice *ice) {
    nice_agent_attach_recv(ice->agent, ice->stream, component, ice->context, NULL, NULL);
    g_signal_handlers_disconnect_by_data(ice->agent, ice);
    if (ice->has_relay)
        nice_agent_close_async(ice->agent, on_closed, NULL);
    else
        g_object_unref(ice->agent);
    g_free(ice);
}

int ccb_ice_add_local_address(ccb_ice *ice, const char *text) {
    NiceAddress address;
    nice_address_init(&address);
    if (!nice_address_set_from_string(&address, text)) return -1;
    return nice_agent_add_local_address(ice->agent, &address) ? 0 : -1;
}

int ccb_ice_add_relay(ccb_ice *ice, const char *server, int port, const char *user, const char *password, int relay) {
    gboolean added =
        nice_agent_set_relay_info(ice->agent, ice->stream, component, server, (guint)port, user, password,
                                  relay == CCB_ICE_RELAY_TCP ? NICE_RELAY_TYPE_TURN_TCP : NICE_RELAY_TYPE_TURN_UDP);
    if (added) ice->has_relay = TRUE;
    return added ? 0 : -1;
}

int ccb_ice_gather(ccb_ice *ice) { return nice_agent_gather_candidates(ice->agent, ice->stream) ? 0 : -1; }

int ccb_ice_local_credentials(ccb_ice *ice, char *user, size_t user_size, char *password, size_t password_size) {
    gchar *own_user = NULL, *own_password = NULL;
    if (!nice_agent_get_local_credentials(ice->agent, ice->stream, &own_user, &own_password)) return -1;
    int fits = g_strlcpy(user, own_user, user_size) < user_size
               && g_strlcpy(password, own_password, password_size) < password_size;
    g_free(own_user);
    g_free(own_password);
    return fits ? 0 : -1;
}

int ccb_ice_set_remote_credentials(ccb_ice *ice, const char *user, const char *password) {
    return nice_agent_set_remote_credentials(ice->agent, ice->stream, user, password) ? 0 : -1;
}

int ccb_ice_add_remote_candidate(ccb_ice *ice, const char *text) {
    gchar *line = g_strconcat("a=", text, NULL);
    NiceCandidate *candidate = nice_agent_parse_remote_candidate_sdp(ice->agent, ice->stream, line);
    g_free(line);
    if (!candidate) return -1;
    int added = -1;
    if (candidate->component_id == component) {
        GSList list = {candidate, NULL};
        added = nice_agent_set_remote_candidates(ice->agent, ice->stream, component, &list);
    }
    nice_candidate_free(candidate);
    return added;
}

void ccb_ice_remote_candidates_done(ccb_ice *ice) {
    nice_agent_peer_candidate_gathering_done(ice->agent, ice->stream);
}

int ccb_ice_path_address(ccb_ice *ice, char *text, size_t size) {
    NiceCandidate *local = NULL, *remote = NULL;
    if (size < INET6_ADDRSTRLEN || !nice_agent_get_selected_pair(ice->agent, ice->stream, component, &local, &remote))
        return -1;
    nice_address_to_string(&local->base_addr, text);
    return 0;
}

void ccb_ice_set_controlling(ccb_ice *ice, int is_controlling) {
    g_object_set(ice->agent, "controlling-mode", is_controlling ? TRUE : FALSE, NULL);
}

int ccb_ice_send(ccb_ice *ice, const void *bytes, int count) {
    return nice_agent_send(ice->agent, ice->stream, component, (guint)count, bytes);
}
