#include "CLineShims.h"

#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <stdlib.h>
#include <string.h>

/* libgpiod 2 has no such limit, and neither release names itself in its header. */
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define CCB_GPIOD_1
#endif

/* Calls without an errno of their own leave what was there before. */
static int failure(void) { return errno ? -errno : -EIO; }

static void copy_text(char *target, size_t capacity, const char *text) {
    size_t length = text ? strnlen(text, capacity - 1) : 0;
    if (length) {
        memcpy(target, text, length);
    }
    target[length] = 0;
}

static int set_nonblocking(int fd) {
    int flags = fcntl(fd, F_GETFL);
    return flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ? -errno : 0;
}

#ifdef CCB_GPIOD_1

/* A line keeps its chip open: in this release closing the chip gives back its lines. */
struct ccb_gpio_line {
    struct gpiod_chip *chip;
    struct gpiod_line *line;
    int is_input;
};

const char *ccb_gpio_api(void) { return "1.6"; }

int ccb_gpio_chip_open(const char *path, struct ccb_gpio_chip **chip) {
    errno = 0;
    struct gpiod_chip *opened = gpiod_chip_open(path);
    if (!opened) {
        return failure();
    }
    *chip = (struct ccb_gpio_chip *)opened;
    return 0;
}

static struct gpiod_chip *real(struct ccb_gpio_chip *chip) { return (struct gpiod_chip *)chip; }

const char *ccb_gpio_chip_name(struct ccb_gpio_chip *chip) { return gpiod_chip_name(real(chip)); }

const char *ccb_gpio_chip_label(struct ccb_gpio_chip *chip) { return gpiod_chip_label(real(chip)); }

unsigned ccb_gpio_chip_line_count(struct ccb_gpio_chip *chip) { return gpiod_chip_num_lines(real(chip)); }

int ccb_gpio_chip_line_info(struct ccb_gpio_chip *chip, unsigned offset, struct ccb_gpio_line_info *info) {
    errno = 0;
    struct gpiod_line *line = gpiod_chip_get_line(real(chip), offset);
    if (!line) {
        return failure();
    }
    copy_text(info->name, sizeof info->name, gpiod_line_name(line));
    copy_text(info->consumer, sizeof info->consumer, gpiod_line_consumer(line));
    info->is_used = gpiod_line_is_used(line);
    info->is_output = gpiod_line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
    info->is_active_low = gpiod_line_active_state(line) == GPIOD_LINE_ACTIVE_STATE_LOW;
    return 0;
}

void ccb_gpio_chip_close(struct ccb_gpio_chip *chip) { gpiod_chip_close(real(chip)); }

static int request(struct ccb_gpio_chip *chip, unsigned offset, const char *consumer, int type, int flags,
                   struct ccb_gpio_line **line) {
    struct ccb_gpio_line *made = calloc(1, sizeof *made);
    if (!made) {
        return -ENOMEM;
    }
    /* A chip of its own, by the descriptor's path: the caller's is closed by the caller. */
    char path[128] = "/dev/";
    strncat(path, gpiod_chip_name(real(chip)), sizeof path - strlen(path) - 1);
    errno = 0;
    made->chip = gpiod_chip_open(path);
    made->line = made->chip ? gpiod_chip_get_line(made->chip, offset) : NULL;
    struct gpiod_line_request_config config = {.consumer = consumer, .request_type = type, .flags = flags};
    if (!made->line || gpiod_line_request(made->line, &config, 0) < 0) {
        int code = failure();
        if (made->chip) {
            gpiod_chip_close(made->chip);
        }
        free(made);
        return code;
    }
    made->is_input = type == GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES;
    *line = made;
    return 0;
}

int ccb_gpio_request_input(struct ccb_gpio_chip *chip, unsigned offset, const char *consumer, int is_active_low,
                           enum ccb_gpio_bias bias, unsigned debounce_us, int *debounced,
                           struct ccb_gpio_line **line) {
    static const int biases[] = {0, GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE, GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP,
                                 GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN};
    int flags = biases[bias] | (is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0);
    /* The kernel interface of this release knows no debounce. */
    (void)debounce_us;
    *debounced = 0;
    int result = request(chip, offset, consumer, GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES, flags, line);
    if (result == 0 && (result = set_nonblocking(ccb_gpio_line_descriptor(*line))) < 0) {
        ccb_gpio_line_close(*line);
    }
    return result;
}

int ccb_gpio_request_output(struct ccb_gpio_chip *chip, unsigned offset, const char *consumer, int is_active_low,
                            enum ccb_gpio_drive drive, struct ccb_gpio_line **line) {
    static const int drives[] = {0, GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN, GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE};
    int flags = drives[drive] | (is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0);
    return request(chip, offset, consumer, GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, flags, line);
}

int ccb_gpio_line_descriptor(struct ccb_gpio_line *line) {
    return line->is_input ? gpiod_line_event_get_fd(line->line) : -1;
}

int ccb_gpio_line_read_events(struct ccb_gpio_line *line, struct ccb_gpio_event *events, unsigned capacity) {
    struct gpiod_line_event waiting[16];
    unsigned count = capacity < 16 ? capacity : 16;
    errno = 0;
    int result = gpiod_line_event_read_multiple(line->line, waiting, count);
    if (result < 0) {
        return errno == EAGAIN || errno == EINTR ? 0 : failure();
    }
    for (int i = 0; i < result; i++) {
        events[i].time = (int64_t)waiting[i].ts.tv_sec * 1000000000 + waiting[i].ts.tv_nsec;
        events[i].is_active = waiting[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    }
    return result;
}

int ccb_gpio_line_get(struct ccb_gpio_line *line) {
    errno = 0;
    int value = gpiod_line_get_value(line->line);
    return value < 0 ? failure() : value;
}

int ccb_gpio_line_set(struct ccb_gpio_line *line, int is_active) {
    errno = 0;
    return gpiod_line_set_value(line->line, is_active) < 0 ? failure() : 0;
}

void ccb_gpio_line_close(struct ccb_gpio_line *line) {
    gpiod_chip_close(line->chip);
    free(line);
}

#else /* libgpiod 2 */

#define EVENT_CAPACITY 16

struct ccb_gpio_chip {
    struct gpiod_chip *chip;
    struct gpiod_chip_info *info;
};

struct ccb_gpio_line {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *buffer;
    unsigned offset;
};

const char *ccb_gpio_api(void) { return "2"; }

int ccb_gpio_chip_open(const char *path, struct ccb_gpio_chip **chip) {
    struct ccb_gpio_chip *made = calloc(1, sizeof *made);
    if (!made) {
        return -ENOMEM;
    }
    errno = 0;
    made->chip = gpiod_chip_open(path);
    made->info = made->chip ? gpiod_chip_get_info(made->chip) : NULL;
    if (!made->info) {
        int code = failure();
        ccb_gpio_chip_close(made);
        return code;
    }
    *chip = made;
    return 0;
}

const char *ccb_gpio_chip_name(struct ccb_gpio_chip *chip) { return gpiod_chip_info_get_name(chip->info); }

const char *ccb_gpio_chip_label(struct ccb_gpio_chip *chip) { return gpiod_chip_info_get_label(chip->info); }

unsigned ccb_gpio_chip_line_count(struct ccb_gpio_chip *chip) {
    return (unsigned)gpiod_chip_info_get_num_lines(chip->info);
}

int ccb_gpio_chip_line_info(struct ccb_gpio_chip *chip, unsigned offset, struct ccb_gpio_line_info *info) {
    errno = 0;
    struct gpiod_line_info *line = gpiod_chip_get_line_info(chip->chip, offset);
    if (!line) {
        return failure();
    }
    copy_text(info->name, sizeof info->name, gpiod_line_info_get_name(line));
    copy_text(info->consumer, sizeof info->consumer, gpiod_line_info_get_consumer(line));
    info->is_used = gpiod_line_info_is_used(line);
    info->is_output = gpiod_line_info_get_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
    info->is_active_low = gpiod_line_info_is_active_low(line);
    gpiod_line_info_free(line);
    return 0;
}

void ccb_gpio_chip_close(struct ccb_gpio_chip *chip) {
    if (chip->info) {
        gpiod_chip_info_free(chip->info);
    }
    if (chip->chip) {
        gpiod_chip_close(chip->chip);
    }
    free(chip);
}

/* Makes a line of the settings, which it frees. */
static int request(struct ccb_gpio_chip *chip, unsigned offset, const char *consumer,
                   struct gpiod_line_settings *settings, struct ccb_gpio_line **line) {
    struct ccb_gpio_line *made = calloc(1, sizeof *made);
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *config = gpiod_request_config_new();
    errno = 0;
    if (made && lines && config) {
        made->offset = offset;
        gpiod_request_config_set_consumer(config, consumer);
        made->buffer = gpiod_edge_event_buffer_new(EVENT_CAPACITY);
        if (made->buffer && gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0) {
            made->request = gpiod_chip_request_lines(chip->chip, config, lines);
        }
    }
    int code = made && made->request ? 0 : failure();
    gpiod_request_config_free(config);
    gpiod_line_config_free(lines);
    if (code == 0) {
        *line = made;
    } else if (made) {
        if (made->buffer) {
            gpiod_edge_event_buffer_free(made->buffer);
        }
        free(made);
    }
    return code;
}

static int request_input(struct ccb_gpio_chip *chip, unsigned offset, const char *consumer, int is_active_low,
                         enum ccb_gpio_bias bias, unsigned debounce_us, struct ccb_gpio_line **line) {
    static const enum gpiod_line_bias biases[] = {GPIOD_LINE_BIAS_AS_IS, GPIOD_LINE_BIAS_DISABLED,
                                                  GPIOD_LINE_BIAS_PULL_UP, GPIOD_LINE_BIAS_PULL_DOWN};
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) {
        return -ENOMEM;
    }
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
    gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
    gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC);
    gpiod_line_settings_set_bias(settings, biases[bias]);
    gpiod_line_settings_set_active_low(settings, is_active_low);
    gpiod_line_settings_set_debounce_period_us(settings, debounce_us);
    int result = request(chip, offset, consumer, settings, line);
    gpiod_line_settings_free(settings);
    return result;
}

int ccb_gpio_request_input(struct ccb_gpio_chip *chip, unsigned offset, const char *consumer, int is_active_low,
                           enum ccb_gpio_bias bias, unsigned debounce_us, int *debounced,
                           struct ccb_gpio_line **line) {
    int result = request_input(chip, offset, consumer, is_active_low, bias, debounce_us, line);
    *debounced = debounce_us > 0 && result == 0;
    if (debounce_us > 0 && (result == -EINVAL || result == -ENOTSUP || result == -EOPNOTSUPP)) {
        result = request_input(chip, offset, consumer, is_active_low, bias, 0, line);
    }
    if (result == 0 && (result = set_nonblocking(ccb_gpio_line_descriptor(*line))) < 0) {
        ccb_gpio_line_close(*line);
    }
    return result;
}

int ccb_gpio_request_output(struct ccb_gpio_chip *chip, unsigned offset, const char *consumer, int is_active_low,
                            enum ccb_gpio_drive drive, struct ccb_gpio_line **line) {
    static const enum gpiod_line_drive drives[] = {GPIOD_LINE_DRIVE_PUSH_PULL, GPIOD_LINE_DRIVE_OPEN_DRAIN,
                                                   GPIOD_LINE_DRIVE_OPEN_SOURCE};
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (!settings) {
        return -ENOMEM;
    }
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
    gpiod_line_settings_set_drive(settings, drives[drive]);
    gpiod_line_settings_set_active_low(settings, is_active_low);
    gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
    int result = request(chip, offset, consumer, settings, line);
    gpiod_line_settings_free(settings);
    return result;
}

int ccb_gpio_line_descriptor(struct ccb_gpio_line *line) { return gpiod_line_request_get_fd(line->request); }

int ccb_gpio_line_read_events(struct ccb_gpio_line *line, struct ccb_gpio_event *events, unsigned capacity) {
    errno = 0;
    int result = gpiod_line_request_read_edge_events(line->request, line->buffer,
                                                     capacity < EVENT_CAPACITY ? capacity : EVENT_CAPACITY);
    if (result < 0) {
        return errno == EAGAIN || errno == EINTR ? 0 : failure();
    }
    for (int i = 0; i < result; i++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(line->buffer, (unsigned long)i);
        events[i].time = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
        events[i].is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
    }
    return result;
}

int ccb_gpio_line_get(struct ccb_gpio_line *line) {
    errno = 0;
    enum gpiod_line_value value = gpiod_line_request_get_value(line->request, line->offset);
    return value == GPIOD_LINE_VALUE_ERROR ? failure() : value == GPIOD_LINE_VALUE_ACTIVE;
}

int ccb_gpio_line_set(struct ccb_gpio_line *line, int is_active) {
    errno = 0;
    enum gpiod_line_value value = is_active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
    return gpiod_line_request_set_value(line->request, line->offset, value) < 0 ? failure() : 0;
}

void ccb_gpio_line_close(struct ccb_gpio_line *line) {
    gpiod_line_request_release(line->request);
    gpiod_edge_event_buffer_free(line->buffer);
    free(line);
}

#endif
