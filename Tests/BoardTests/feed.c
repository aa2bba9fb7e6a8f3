// feed /dev/videoN FOURCC WIDTH HEIGHT FILE: gives a looped camera its format and then FILE, again and again, ten times a second.
// v4l2-ctl cannot: it asks for the format that the device has before it sets one, and v4l2loopback has none yet.
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(int count, char **words) {
    if (count != 6 || strlen(words[2]) != 4) return 2;
    FILE *source = fopen(words[5], "rb");
    if (!source) return perror(words[5]), 1;
    static char frame[4 << 20];
    size_t size = fread(frame, 1, sizeof frame, source);
    int device = open(words[1], O_RDWR);
    if (device < 0) return perror(words[1]), 1;
    const char *code = words[2];
    struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
    format.fmt.pix.width = atoi(words[3]);
    format.fmt.pix.height = atoi(words[4]);
    format.fmt.pix.pixelformat = v4l2_fourcc(code[0], code[1], code[2], code[3]);
    format.fmt.pix.field = V4L2_FIELD_NONE;
    format.fmt.pix.sizeimage = size;
    if (ioctl(device, VIDIOC_S_FMT, &format) != 0) return perror("VIDIOC_S_FMT"), 1;
    while (write(device, frame, size) == (ssize_t)size) usleep(100000);
    return perror("write"), 1;
}
