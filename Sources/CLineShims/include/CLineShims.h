#pragma once
/* GPIO lines by libgpiod 1.6 or 2.x, whichever is installed at build time, and input devices. Prefix ccb_.
 *
 * Functions return 0 (or what their comment says) or -errno, so that no Swift statement can come between a failing
 * call and its errno. Values are logical: 1 is active, whatever the voltage. */
#include <stdint.h>

/* --- GPIO ------------------------------------------------------------------------------------------------------- */

/* What the kernel tells of a line. */
struct ccb_gpio_line_info {
    char name[64];
    /* Who has it; empty when nobody has, or the kernel does not say. */
    char consumer[64];
    int is_used;
    int is_output;
    int is_active_low;
};

enum ccb_gpio_bias { CCB_BIAS_AS_IS, CCB_BIAS_DISABLED, CCB_BIAS_PULL_UP, CCB_BIAS_PULL_DOWN };
enum ccb_gpio_drive { CCB_DRIVE_PUSH_PULL, CCB_DRIVE_OPEN_DRAIN, CCB_DRIVE_OPEN_SOURCE };

struct ccb_gpio_event {
    /* CLOCK_MONOTONIC (Linux 5.7 and later), in nanoseconds. */
    int64_t time;
    int is_active;
};

struct ccb_gpio_chip;
struct ccb_gpio_line;

/* "1.6" or "2". */
const char *ccb_gpio_api(void);

/* Opens the chip behind a path such as /dev/gpiochip0. -ENOTTY when it is none. */
int ccb_gpio_chip_open(const char *path, struct ccb_gpio_chip **chip);
const char *ccb_gpio_chip_name(struct ccb_gpio_chip *chip);
const char *ccb_gpio_chip_label(struct ccb_gpio_chip *chip);
unsigned ccb_gpio_chip_line_count(struct ccb_gpio_chip *chip);
int ccb_gpio_chip_line_info(struct ccb_gpio_chip *chip, unsigned offset, struct ccb_gpio_line_info *info);
void ccb_gpio_chip_close(struct ccb_gpio_chip *chip);

/* Requests a line for input with events of both edges. *debounced tells whether the kernel (or the chip) debounces it;
 * where it cannot, the line is requested without. A bias that the chip does not support is an error (-EINVAL,
 * -ENOTSUP). The chip may be closed afterwards. */
int ccb_gpio_request_input(struct ccb_gpio_chip *chip, unsigned offset, const char *consumer, int is_active_low,
                           enum ccb_gpio_bias bias, unsigned debounce_us, int *debounced,
                           struct ccb_gpio_line **line);
/* Requests a line for output, inactive. */
int ccb_gpio_request_output(struct ccb_gpio_chip *chip, unsigned offset, const char *consumer, int is_active_low,
                            enum ccb_gpio_drive drive, struct ccb_gpio_line **line);
/* The descriptor to poll for events of an input; it belongs to the line. */
int ccb_gpio_line_descriptor(struct ccb_gpio_line *line);
/* Reads waiting events without blocking; returns how many. */
int ccb_gpio_line_read_events(struct ccb_gpio_line *line, struct ccb_gpio_event *events, unsigned capacity);
/* Returns 0 or 1. */
int ccb_gpio_line_get(struct ccb_gpio_line *line);
int ccb_gpio_line_set(struct ccb_gpio_line *line, int is_active);
/* Gives the line back to the kernel. */
void ccb_gpio_line_close(struct ccb_gpio_line *line);

/* --- Input devices ------------------------------------------------------------------------------------------------ */

#define CCB_KEY_COUNT 768
#define CCB_KEY_BYTES (CCB_KEY_COUNT / 8)

struct ccb_key_event {
    /* CLOCK_MONOTONIC, in nanoseconds. */
    int64_t time;
    int code;
    int is_down;
};

/* Opens an input device for reading without blocking, with monotonic times. Returns the descriptor. */
int ccb_input_open(const char *path);
/* The device's name, or where it is plugged in; empty where it has none. */
int ccb_input_name(int fd, char *text, unsigned capacity);
int ccb_input_location(int fd, char *text, unsigned capacity);
/* One bit a key, the lowest first: the keys that exist, the keys that are down. */
int ccb_input_keys(int fd, uint8_t bits[CCB_KEY_BYTES]);
int ccb_input_pressed_keys(int fd, uint8_t bits[CCB_KEY_BYTES]);
/* Keeps the events from everybody else: a console, a screen saver. */
int ccb_input_grab(int fd, int is_grabbed);
/* Only key events wake the reader, where the kernel can (4.4 and later). */
int ccb_input_keys_only(int fd);
/* Reads waiting key events, repeats left out, without blocking; returns how many. *overflowed is 1 when the kernel had
 * to drop events: ask for the pressed keys again. */
int ccb_input_read(int fd, struct ccb_key_event *events, unsigned capacity, int *overflowed);

/* --- Arrivals ------------------------------------------------------------------------------------------------------ */

/* A non-blocking, close-on-exec inotify descriptor. */
int ccb_arrivals_open(void);
/* Watches a folder for new entries and changed permissions; watching it again does nothing. */
int ccb_arrivals_watch(int fd, const char *folder);
