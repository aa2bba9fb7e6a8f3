#pragma once
/* What Swift cannot see of the kernel's display interface: macros, variadic functions and messages of changing length.
 * Prefix ccb_.
 *
 * Functions return 0 (or what their comment says) or -errno, so that no Swift statement can come between a failing
 * call and its errno. */
#include <stdint.h>

/* --- Cards ------------------------------------------------------------------------------------------------------ */

/* Opens a primary node such as /dev/dri/card0 (read-write, non-blocking, close-on-exec). Returns the descriptor;
 * -ENOTTY when it is no card. */
int ccb_drm_open(const char *path);
/* Name of the kernel driver, such as vc4. */
int ccb_drm_driver(int fd, char *text, unsigned capacity);
/* Whether mode-setting is this descriptor's: 1 or 0. Takes it over when nobody has it and the kernel allows. */
int ccb_drm_become_master(int fd);

/* --- Buffers in memory, 32 bits a pixel: blue, green, red, unused ----------------------------------------------------- */

int ccb_drm_create_buffer(int fd, uint32_t width, uint32_t height, uint32_t *handle, uint32_t *stride_bytes,
                          uint64_t *byte_count);
int ccb_drm_add_framebuffer(int fd, uint32_t width, uint32_t height, uint32_t handle, uint32_t stride_bytes,
                            uint32_t *framebuffer);
/* Maps a buffer for writing; *address is valid only when 0 is returned. */
int ccb_drm_map_buffer(int fd, uint32_t handle, uint64_t byte_count, void **address);
void ccb_drm_unmap_buffer(void *address, uint64_t byte_count);
void ccb_drm_destroy_buffer(int fd, uint32_t handle);

/* --- Page flips ---------------------------------------------------------------------------------------------------- */

/* Waits until the flip with this number is done. Returns 1, or 0 when the time is up; events of earlier flips are
 * taken and dropped. */
int ccb_drm_wait_flip(int fd, uint64_t number, int timeout_ms);

/* --- News of the kernel about devices ------------------------------------------------------------------------------ */

/* A non-blocking, close-on-exec netlink socket that gets the kernel's uevents. */
int ccb_uevents_open(void);
/* Takes what waits. Returns 1 when something about a card or its connectors was among it, or may have been lost. */
int ccb_uevents_take_display(int fd);
