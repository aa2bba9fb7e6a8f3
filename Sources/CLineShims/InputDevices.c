#include "CLineShims.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static int control(int fd, unsigned long request, void *argument) {
    int result;
    do {
        result = ioctl(fd, request, argument);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
}

int ccb_input_open(const char *path) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return -errno;
    }
    int clock = CLOCK_MONOTONIC;
    int result = control(fd, EVIOCSCLOCKID, &clock);
    if (result < 0) {
        close(fd);
        return result == -EINVAL ? -ENOTTY : result;
    }
    return fd;
}

static int read_text(int fd, unsigned long request, char *text) {
    int result = control(fd, request, text);
    if (result >= 0) {
        return 0;
    }
    text[0] = 0;
    return result == -ENOENT ? 0 : result;
}

int ccb_input_name(int fd, char *text, unsigned capacity) {
    memset(text, 0, capacity);
    return read_text(fd, EVIOCGNAME(capacity - 1), text);
}

int ccb_input_location(int fd, char *text, unsigned capacity) {
    memset(text, 0, capacity);
    return read_text(fd, EVIOCGPHYS(capacity - 1), text);
}

int ccb_input_keys(int fd, uint8_t bits[CCB_KEY_BYTES]) {
    memset(bits, 0, CCB_KEY_BYTES);
    int result = control(fd, EVIOCGBIT(EV_KEY, CCB_KEY_BYTES), bits);
    return result < 0 ? result : 0;
}

int ccb_input_pressed_keys(int fd, uint8_t bits[CCB_KEY_BYTES]) {
    memset(bits, 0, CCB_KEY_BYTES);
    int result = control(fd, EVIOCGKEY(CCB_KEY_BYTES), bits);
    return result < 0 ? result : 0;
}

/* The argument is the value itself, not a pointer to it. */
int ccb_input_grab(int fd, int is_grabbed) { return control(fd, EVIOCGRAB, is_grabbed ? (void *)1 : NULL); }

int ccb_input_keys_only(int fd) {
    uint8_t types[(EV_CNT + 7) / 8] = {0};
    types[EV_SYN / 8] |= 1 << (EV_SYN % 8);
    types[EV_KEY / 8] |= 1 << (EV_KEY % 8);
    struct input_mask mask = {.type = EV_SYN, .codes_size = sizeof types, .codes_ptr = (uintptr_t)types};
    /* In the mask of type EV_SYN the codes are event types. */
    return control(fd, EVIOCSMASK, &mask);
}

int ccb_input_read(int fd, struct ccb_key_event *events, unsigned capacity, int *overflowed) {
    struct input_event waiting[64];
    unsigned room = capacity < 64 ? capacity : 64;
    ssize_t length;
    *overflowed = 0;
    do {
        length = read(fd, waiting, room * sizeof waiting[0]);
    } while (length < 0 && errno == EINTR);
    if (length < 0) {
        return errno == EAGAIN ? 0 : -errno;
    }
    if (length == 0) {
        return -ENODEV;
    }
    int count = 0;
    for (size_t i = 0; i < (size_t)length / sizeof waiting[0]; i++) {
        const struct input_event *event = &waiting[i];
        if (event->type == EV_SYN && event->code == SYN_DROPPED) {
            *overflowed = 1;
        }
        /* Value 2 is a repeat. */
        if (event->type != EV_KEY || event->code >= CCB_KEY_COUNT || event->value > 1) {
            continue;
        }
        events[count].time = (int64_t)event->input_event_sec * 1000000000 + (int64_t)event->input_event_usec * 1000;
        events[count].code = event->code;
        events[count].is_down = event->value;
        count++;
    }
    return count;
}
