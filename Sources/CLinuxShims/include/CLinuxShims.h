#pragma once
/* What Swift cannot see: macros and variadic functions. Everything here has the prefix ccb_.
   Functions that can fail return -errno. */
#include <stdint.h>

/* A close-on-exec, non-blocking eventfd with the value 0. */
int ccb_eventfd(void);
/* The kernel's id of the calling thread, as in /proc/PID/task. */
int32_t ccb_gettid(void);
/* Names the calling thread; at most 15 bytes. */
int ccb_set_thread_name(const char *name);
/* At most this many malloc arenas: each arena keeps its own free memory, so fewer arenas mean less private memory.
   Large blocks are mappings of their own from the given size on, now and later, and so go back to the kernel when freed. */
void ccb_configure_malloc(int arenas, int mapped_bytes);
/* Gives free memory of malloc back to the kernel. */
void ccb_trim_malloc(void);

/* Whether malloc is interposed in this binary: debug builds without a sanitizer, or CALLBOX_COUNT_ALLOCATIONS=1. */
int ccb_counts_allocations(void);
/* Calls of malloc, calloc, realloc and the aligned forms by the calling thread so far; 0 when not interposed. */
uint64_t ccb_allocation_count(void);
