#define _GNU_SOURCE
#include "CLinuxShims.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

int ccb_eventfd(void) {
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

int32_t ccb_gettid(void) { return (int32_t)syscall(SYS_gettid); }

int ccb_set_thread_name(const char *name) { return -pthread_setname_np(pthread_self(), name); }

void ccb_configure_malloc(int arenas, int mapped_bytes) {
    mallopt(M_ARENA_MAX, arenas);
    mallopt(M_MMAP_THRESHOLD, mapped_bytes);
    mallopt(M_TRIM_THRESHOLD, mapped_bytes);
}

void ccb_trim_malloc(void) { malloc_trim(0); }

long long ccb_malloc_bytes_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return (long long)(info.uordblks + info.hblkhd);
}

long long ccb_thread_stack_bytes(void)
{
    pthread_attr_t attributes;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return 0;
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_destroy(&attributes);
    return (long long)bytes;
}
