#define _GNU_SOURCE
#include "CLinuxShims.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int ccb_clock_events(void) {
    int descriptor = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

int ccb_clock_arm(int descriptor) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    /* It is not meant to expire, only to be cancelled. */
    struct itimerspec far = {.it_value = {.tv_sec = now.tv_sec + 10L * 365 * 86400}};
    int flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
    return timerfd_settime(descriptor, flags, &far, NULL) < 0 ? -errno : 0;
}
