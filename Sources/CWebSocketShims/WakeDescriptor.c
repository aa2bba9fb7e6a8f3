#define _GNU_SOURCE
#include "WakeDescriptor.h"

#include <sys/syscall.h>
#include <unistd.h>

_Thread_local int ccb_records_eventfd;
_Thread_local int ccb_recorded_eventfd = -1;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define CCB_IS_SANITIZED 1
#endif
#endif

#ifndef CCB_IS_SANITIZED
/* Takes the place of the C library's, for the whole process; sanitizers have one of their own. */
int eventfd(unsigned count, int flags)
{
    int fd = (int)syscall(SYS_eventfd2, count, flags);
    if (ccb_records_eventfd)
        ccb_recorded_eventfd = fd;
    return fd;
}
#endif
