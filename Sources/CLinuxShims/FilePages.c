#define _GNU_SOURCE
#include "CLinuxShims.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* One mapping of /proc/self/smaps. */
struct mapping {
    unsigned long start, end;
    /* A file's, and not to be written. */
    int is_candidate;
    long resident_kib;
};

static long release(const struct mapping *mapping)
{
    if (!mapping->is_candidate || mapping->resident_kib == 0)
        return 0;
    if (madvise((void *)mapping->start, mapping->end - mapping->start, MADV_DONTNEED) != 0)
        return 0;
    return mapping->resident_kib;
}

long ccb_release_file_pages(void)
{
    FILE *file = fopen("/proc/self/smaps", "re");
    if (!file)
        return -errno;
    char *line = NULL;
    size_t capacity = 0;
    struct mapping mapping = {0};
    long released = 0;
    while (getline(&line, &capacity, file) > 0) {
        unsigned long start, end;
        char permissions[5];
        int path = 0;
        long kib;
        if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %n", &start, &end, permissions, &path) == 3) {
            released += release(&mapping);
            mapping.start = start;
            mapping.end = end;
            mapping.resident_kib = 0;
            mapping.is_candidate = permissions[1] != 'w' && permissions[3] == 'p' && path > 0 && line[path] == '/';
        } else if (sscanf(line, "Rss: %ld kB", &kib) == 1) {
            mapping.resident_kib = kib;
        } else if (sscanf(line, "Anonymous: %ld kB", &kib) == 1 && kib > 0) {
            /* Written before it was protected, by the dynamic linker: its file does not have this. */
            mapping.is_candidate = 0;
        }
    }
    released += release(&mapping);
    free(line);
    fclose(file);
    return released;
}
