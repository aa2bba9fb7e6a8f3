#include "CLineShims.h"

#include <errno.h>
#include <sys/inotify.h>

int ccb_arrivals_open(void) {
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int ccb_arrivals_watch(int fd, const char *folder) {
    int result = inotify_add_watch(fd, folder, IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE | IN_ONLYDIR);
    return result < 0 ? -errno : 0;
}
