// levels FILE STEP…: writes the pull of a simulated line at exact times, which a shell in an emulated machine cannot: STEP is u (up) or
// d (down) and the milliseconds until the next one, as in d2 u2 d200 u0. Prints the milliseconds that it took.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **words) {
    struct sched_param priority = {.sched_priority = 30};
    sched_setscheduler(0, SCHED_FIFO, &priority);
    int file = count < 3 ? -1 : open(words[1], O_WRONLY);
    if (file < 0) return perror("levels"), 1;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 2; i < count; i++) {
        const char *pull = words[i][0] == 'u' ? "pull-up" : "pull-down";
        if (pwrite(file, pull, strlen(pull), 0) < 0) return perror("levels"), 1;
        long wait = atol(words[i] + 1);
        struct timespec pause = {wait / 1000, wait % 1000 * 1000000};
        nanosleep(&pause, NULL);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%ld\n", (end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000);
    return 0;
}
