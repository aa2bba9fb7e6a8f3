#define _GNU_SOURCE
#include "CDisplayShims.h"

#include <drm_fourcc.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

/* All DRM nodes have this major number (Documentation/admin-guide/devices.txt of the kernel). */
#define CARD_MAJOR 226

int ccb_drm_open(const char *path) {
    struct stat status;
    if (stat(path, &status) < 0) {
        return -errno;
    }
    if (!S_ISCHR(status.st_mode) || major(status.st_rdev) != CARD_MAJOR) {
        return -ENOTTY;
    }
    int fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int ccb_drm_driver(int fd, char *text, unsigned capacity) {
    drmVersionPtr version = drmGetVersion(fd);
    if (!version) {
        return -ENOTTY;
    }
    unsigned length = version->name_len < 0 ? 0 : (unsigned)version->name_len;
    if (length >= capacity) {
        length = capacity - 1;
    }
    memcpy(text, version->name, length);
    text[length] = 0;
    drmFreeVersion(version);
    return 0;
}

int ccb_drm_become_master(int fd) {
    if (drmIsMaster(fd)) {
        return 1;
    }
    return drmSetMaster(fd) == 0 ? 1 : 0;
}

int ccb_drm_create_buffer(int fd, uint32_t width, uint32_t height, uint32_t *handle, uint32_t *stride_bytes,
                          uint64_t *byte_count) {
    struct drm_mode_create_dumb request = {.width = width, .height = height, .bpp = 32};
    if (drmIoctl(fd, DRM_IOCTL_MODE_CREATE_DUMB, &request) < 0) {
        return -errno;
    }
    *handle = request.handle;
    *stride_bytes = request.pitch;
    *byte_count = request.size;
    return 0;
}

int ccb_drm_add_framebuffer(int fd, uint32_t width, uint32_t height, uint32_t handle, uint32_t stride_bytes,
                            uint32_t *framebuffer) {
    uint32_t handles[4] = {handle};
    uint32_t strides[4] = {stride_bytes};
    uint32_t offsets[4] = {0};
    if (drmModeAddFB2(fd, width, height, DRM_FORMAT_XRGB8888, handles, strides, offsets, framebuffer, 0) == 0) {
        return 0;
    }
    /* Drivers of old know formats by depth only. */
    return drmModeAddFB(fd, width, height, 24, 32, stride_bytes, handle, framebuffer) == 0 ? 0 : -errno;
}

int ccb_drm_map_buffer(int fd, uint32_t handle, uint64_t byte_count, void **address) {
    struct drm_mode_map_dumb request = {.handle = handle};
    if (drmIoctl(fd, DRM_IOCTL_MODE_MAP_DUMB, &request) < 0) {
        return -errno;
    }
    void *mapped = mmap(NULL, byte_count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)request.offset);
    if (mapped == MAP_FAILED) {
        return -errno;
    }
    *address = mapped;
    return 0;
}

void ccb_drm_unmap_buffer(void *address, uint64_t byte_count) {
    munmap(address, byte_count);
}

void ccb_drm_destroy_buffer(int fd, uint32_t handle) {
    struct drm_mode_destroy_dumb request = {.handle = handle};
    drmIoctl(fd, DRM_IOCTL_MODE_DESTROY_DUMB, &request);
}

static int64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* 1 when the flip is among the waiting events, 0 when it is not. */
static int take_flip(int fd, uint64_t number) {
    _Alignas(8) char buffer[1024];
    int found = 0;
    ssize_t count;
    while ((count = read(fd, buffer, sizeof buffer)) > 0) {
        ssize_t offset = 0;
        while (offset + (ssize_t)sizeof(struct drm_event) <= count) {
            struct drm_event head;
            memcpy(&head, buffer + offset, sizeof head);
            if (head.length < sizeof head || offset + (ssize_t)head.length > count) {
                break;
            }
            if (head.type == DRM_EVENT_FLIP_COMPLETE && head.length >= sizeof(struct drm_event_vblank)) {
                struct drm_event_vblank event;
                memcpy(&event, buffer + offset, sizeof event);
                found |= event.user_data == number;
            }
            offset += (ssize_t)head.length;
        }
    }
    if (found) {
        return 1;
    }
    return count < 0 && errno != EAGAIN && errno != EINTR ? -errno : 0;
}

int ccb_drm_wait_flip(int fd, uint64_t number, int timeout_ms) {
    int64_t end = now_ms() + timeout_ms;
    for (;;) {
        int64_t rest = end - now_ms();
        struct pollfd entry = {.fd = fd, .events = POLLIN};
        int ready = poll(&entry, 1, rest > 0 ? (int)rest : 0);
        if (ready < 0 && errno != EINTR) {
            return -errno;
        }
        if (ready > 0) {
            int found = take_flip(fd, number);
            if (found != 0) {
                return found;
            }
            /* A card that was taken away is readable for ever and has nothing to read. */
            if (entry.revents & (POLLERR | POLLHUP | POLLNVAL)) {
                return -ENODEV;
            }
        }
        if (rest <= 0) {
            return 0;
        }
    }
}

int ccb_uevents_open(void) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
    if (fd < 0) {
        return -errno;
    }
    /* Group 1 is the kernel's own; udev repeats in group 2. */
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = 1};
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
        int code = errno;
        close(fd);
        return -code;
    }
    return fd;
}

int ccb_uevents_take_display(int fd) {
    static const char wanted[] = "SUBSYSTEM=drm";
    char buffer[4096];
    int found = 0;
    for (;;) {
        struct sockaddr_nl sender = {0};
        socklen_t length = sizeof sender;
        ssize_t count = recvfrom(fd, buffer, sizeof buffer, MSG_DONTWAIT, (struct sockaddr *)&sender, &length);
        if (count < 0) {
            if (errno == EINTR) {
                continue;
            }
            /* Too much at once: whatever it was, look. */
            if (errno == ENOBUFS) {
                found = 1;
                continue;
            }
            return found;
        }
        /* Only the kernel's messages count: any process may send to the socket. */
        if (sender.nl_pid == 0 && memmem(buffer, (size_t)count, wanted, sizeof wanted) != NULL) {
            found = 1;
        }
    }
}
