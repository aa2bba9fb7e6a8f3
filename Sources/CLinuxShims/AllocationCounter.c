/* Counts allocations per thread, for the tests which prove that a media thread allocates nothing.
   A sanitizer brings its own malloc, and a release build must not pay: then this file is empty but for two constants. */
#include "CLinuxShims.h"

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#undef CCB_COUNT_ALLOCATIONS
#endif

#ifdef CCB_COUNT_ALLOCATIONS

#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

/* initial-exec: the general model may itself allocate on first use. */
static __thread uint64_t count __attribute__((tls_model("initial-exec")));

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count++;
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    count++;
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *result = memory;
    return 0;
}

int ccb_counts_allocations(void) { return 1; }
uint64_t ccb_allocation_count(void) { return count; }

#else

int ccb_counts_allocations(void) { return 0; }
uint64_t ccb_allocation_count(void) { return 0; }

#endif
