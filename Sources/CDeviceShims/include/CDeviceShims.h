#pragma once
/* What Swift cannot see: macros and variadic functions. Everything here has the prefix ccb_.
 *
 * Functions return 0 (or what their comment says) or -errno, so that no Swift statement can come between a failing
 * call and its errno. */
#include <linux/videodev2.h>
#include <stdint.h>

/* --- V4L2 through libv4l2 ------------------------------------------------------------------------------------- */

static const uint32_t ccb_v4l2_pix_fmt_yuv420 = V4L2_PIX_FMT_YUV420;
static const uint32_t ccb_v4l2_pix_fmt_nv12 = V4L2_PIX_FMT_NV12;
static const uint32_t ccb_v4l2_pix_fmt_yuyv = V4L2_PIX_FMT_YUYV;
static const uint32_t ccb_v4l2_pix_fmt_mjpeg = V4L2_PIX_FMT_MJPEG;
static const uint32_t ccb_v4l2_pix_fmt_jpeg = V4L2_PIX_FMT_JPEG;

/* Opens a video node by v4l2_open (read-write, non-blocking, close-on-exec). Returns the descriptor; -ENOTTY when the
 * path is no video node. */
int ccb_v4l2_open(const char *path);
int ccb_v4l2_query_capability(int fd, struct v4l2_capability *capability);
int ccb_v4l2_enumerate_format(int fd, struct v4l2_fmtdesc *description);
int ccb_v4l2_enumerate_frame_size(int fd, struct v4l2_frmsizeenum *size);
int ccb_v4l2_enumerate_frame_interval(int fd, struct v4l2_frmivalenum *interval);
int ccb_v4l2_set_format(int fd, struct v4l2_format *format);
int ccb_v4l2_set_parameters(int fd, struct v4l2_streamparm *parameters);
int ccb_v4l2_request_buffers(int fd, struct v4l2_requestbuffers *request);
int ccb_v4l2_query_buffer(int fd, struct v4l2_buffer *buffer);
int ccb_v4l2_queue_buffer(int fd, struct v4l2_buffer *buffer);
int ccb_v4l2_dequeue_buffer(int fd, struct v4l2_buffer *buffer);
int ccb_v4l2_stream_on(int fd);
int ccb_v4l2_stream_off(int fd);
/* Maps one buffer; *address is valid only when 0 is returned. */
int ccb_v4l2_map(int fd, uint32_t byte_count, uint32_t offset, void **address);

/* --- ALSA ------------------------------------------------------------------------------------------------------ */

/* Keeps what libasound says about errors in memory of the calling thread instead of standard error. Process-wide,
 * safe to call again. */
void ccb_alsa_capture_messages(void);
/* The last message libasound had on this thread since ccb_alsa_forget_message; empty when there was none. */
const char *ccb_alsa_last_message(void);
void ccb_alsa_forget_message(void);
