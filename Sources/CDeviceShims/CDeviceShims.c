#include "CDeviceShims.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <fcntl.h>
#include <libv4l2.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* All video nodes have this major number (Documentation/admin-guide/devices.txt of the kernel). */
#define VIDEO_MAJOR 81

static int control(int fd, unsigned long request, void *argument) {
    int result;
    do {
        result = v4l2_ioctl(fd, request, argument);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

/* libv4l2 writes to standard error what its callers get as errno anyhow, "try again" included. */
static void silence_libv4l2(void) {
    if (!v4l2_log_file) {
        v4l2_log_file = fopen("/dev/null", "we");
    }
}

int ccb_v4l2_open(const char *path) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, silence_libv4l2);
    struct stat status;
    if (stat(path, &status) < 0) {
        return -errno;
    }
    /* Its plug-ins complain on standard error about files that are no video nodes. */
    if (!S_ISCHR(status.st_mode) || major(status.st_rdev) != VIDEO_MAJOR) {
        return -ENOTTY;
    }
    int fd = v4l2_open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int ccb_v4l2_query_capability(int fd, struct v4l2_capability *capability) {
    return control(fd, VIDIOC_QUERYCAP, capability);
}

int ccb_v4l2_enumerate_format(int fd, struct v4l2_fmtdesc *description) {
    return control(fd, VIDIOC_ENUM_FMT, description);
}

int ccb_v4l2_enumerate_frame_size(int fd, struct v4l2_frmsizeenum *size) {
    return control(fd, VIDIOC_ENUM_FRAMESIZES, size);
}

int ccb_v4l2_enumerate_frame_interval(int fd, struct v4l2_frmivalenum *interval) {
    return control(fd, VIDIOC_ENUM_FRAMEINTERVALS, interval);
}

int ccb_v4l2_set_format(int fd, struct v4l2_format *format) {
    return control(fd, VIDIOC_S_FMT, format);
}

int ccb_v4l2_set_parameters(int fd, struct v4l2_streamparm *parameters) {
    return control(fd, VIDIOC_S_PARM, parameters);
}

int ccb_v4l2_request_buffers(int fd, struct v4l2_requestbuffers *request) {
    return control(fd, VIDIOC_REQBUFS, request);
}

int ccb_v4l2_query_buffer(int fd, struct v4l2_buffer *buffer) {
    return control(fd, VIDIOC_QUERYBUF, buffer);
}

int ccb_v4l2_queue_buffer(int fd, struct v4l2_buffer *buffer) {
    return control(fd, VIDIOC_QBUF, buffer);
}

int ccb_v4l2_dequeue_buffer(int fd, struct v4l2_buffer *buffer) {
    return control(fd, VIDIOC_DQBUF, buffer);
}

int ccb_v4l2_stream_on(int fd) {
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    return control(fd, VIDIOC_STREAMON, &type);
}

int ccb_v4l2_stream_off(int fd) {
    int type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    return control(fd, VIDIOC_STREAMOFF, &type);
}

int ccb_v4l2_map(int fd, uint32_t byte_count, uint32_t offset, void **address) {
    void *memory = v4l2_mmap(NULL, byte_count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    if (memory == MAP_FAILED) {
        return -errno;
    }
    *address = memory;
    return 0;
}

static _Thread_local char last_message[256];

static void keep_message(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file;
    (void)line;
    (void)error;
    int used = snprintf(last_message, sizeof last_message, "%s: ", function);
    if (used < 0 || (size_t)used >= sizeof last_message) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_message + used, sizeof last_message - (size_t)used, format, arguments);
    va_end(arguments);
}

void ccb_alsa_capture_messages(void) {
    snd_lib_error_set_handler(keep_message);
}

const char *ccb_alsa_last_message(void) {
    return last_message;
}

void ccb_alsa_forget_message(void) {
    last_message[0] = 0;
}
