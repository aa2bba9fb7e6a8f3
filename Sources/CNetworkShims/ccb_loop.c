#include "CNetworkShims.h"
#include <glib.h>

/* ccb_loop is the GMainContext itself. */
static GMainContext *context_of(ccb_loop *loop) { return (GMainContext *)loop; }

ccb_loop *ccb_loop_new(void) { return (ccb_loop *)g_main_context_new(); }
void ccb_loop_free(ccb_loop *loop) { g_main_context_unref(context_of(loop)); }
void ccb_loop_enter(ccb_loop *loop) { g_main_context_push_thread_default(context_of(loop)); }
void ccb_loop_leave(ccb_loop *loop) { g_main_context_pop_thread_default(context_of(loop)); }
void ccb_loop_run_once(ccb_loop *loop) { g_main_context_iteration(context_of(loop), TRUE); }
void ccb_loop_wake(ccb_loop *loop) { g_main_context_wakeup(context_of(loop)); }

struct ccb_source {
    GSource base;
    void (*callback)(void *context);
    void *context;
    gboolean is_timer;
};

/* With neither prepare nor check, the context itself looks at the ready time and the descriptors of a source. */
static gboolean dispatch(GSource *source, GSourceFunc unused, gpointer unused_data) {
    (void)unused;
    (void)unused_data;
    ccb_source *own = (ccb_source *)source;
    if (own->is_timer) g_source_set_ready_time(source, -1);
    own->callback(own->context);
    return G_SOURCE_CONTINUE;
}

static GSourceFuncs functions = {NULL, NULL, dispatch, NULL, NULL, NULL};

static ccb_source *source_new(void (*callback)(void *), void *context, gboolean is_timer) {
    ccb_source *source = (ccb_source *)g_source_new(&functions, sizeof(ccb_source));
    source->callback = callback;
    source->context = context;
    source->is_timer = is_timer;
    /* libnice reads its sockets at the default priority; all are served in turn. */
    g_source_set_priority(&source->base, G_PRIORITY_DEFAULT);
    return source;
}

ccb_source *ccb_timer_new(ccb_loop *loop, void (*fire)(void *), void *context) {
    ccb_source *source = source_new(fire, context, TRUE);
    g_source_attach(&source->base, context_of(loop));
    return source;
}

void ccb_timer_set(ccb_source *timer, int64_t microseconds) {
    g_source_set_ready_time(&timer->base, microseconds < 0 ? -1 : microseconds);
}

ccb_source *ccb_reader_new(ccb_loop *loop, int descriptor, void (*ready)(void *), void *context) {
    ccb_source *source = source_new(ready, context, FALSE);
    g_source_add_unix_fd(&source->base, descriptor, G_IO_IN | G_IO_HUP | G_IO_ERR);
    g_source_attach(&source->base, context_of(loop));
    return source;
}

void ccb_source_free(ccb_source *source) {
    g_source_destroy(&source->base);
    g_source_unref(&source->base);
}
