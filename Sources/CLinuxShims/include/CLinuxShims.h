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
/* Bytes of the calling thread's stack; 0 when unknown. */
long long ccb_thread_stack_bytes(void);
/* At most this many malloc arenas: each arena keeps its own free memory, so fewer arenas mean less private memory.
   Large blocks are mappings of their own from the given size on, now and later, and so go back to the kernel when freed. */
void ccb_configure_malloc(int arenas, int mapped_bytes);
/* Gives free memory of malloc back to the kernel. */
void ccb_trim_malloc(void);
/* Lets go of the pages of program and libraries that are only copies of their files; those still needed come back by
   themselves. Returns how many KiB were let go, or -errno. */
long ccb_release_file_pages(void);
/* Bytes that were asked of malloc and not freed, in all arenas and mappings. */
long long ccb_malloc_bytes_in_use(void);

/* Whether malloc is interposed in this binary: debug builds without a sanitizer, or CALLBOX_COUNT_ALLOCATIONS=1. */
int ccb_counts_allocations(void);
/* Calls of malloc, calloc, realloc and the aligned forms by the calling thread so far; 0 when not interposed. */
uint64_t ccb_allocation_count(void);

/* A link that is up and running, an address of it that others may reach, or a default route. Never the loopback's. */
#define CCB_NETWORK_LINK 1
#define CCB_NETWORK_ADDRESS 2
#define CCB_NETWORK_ROUTE 3
struct ccb_network_entry {
    int32_t kind;
    int32_t interface;
    int32_t is_ipv6;
    /* An address, a route's gateway, or zeros; network order, 4 or 16 bytes. */
    uint8_t address[16];
    /* The interface's name; empty when it has just gone. */
    char name[16];
};
/* A non-blocking rtnetlink socket that is readable when something of it changes: what, ccb_network_read says. */
int ccb_network_events(void);
/* What there is now, at most `capacity` entries: their number. Blocks for milliseconds. */
int ccb_network_read(struct ccb_network_entry *entries, int capacity);

/* A non-blocking timerfd which, once armed, is readable when the wall clock was set (read: ECANCELED); then it is to be
   armed again. */
int ccb_clock_events(void);
int ccb_clock_arm(int descriptor);
