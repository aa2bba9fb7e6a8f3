// freeze TID SECONDS: stops one thread of another process as a lost lock would: PTRACE_INTERRUPT, while all others go on.
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
    if (count != 3) return 2;
    pid_t thread = atoi(words[1]);
    if (ptrace(PTRACE_SEIZE, thread, 0, 0) != 0 || ptrace(PTRACE_INTERRUPT, thread, 0, 0) != 0) {
        perror("ptrace");
        return 1;
    }
    waitpid(thread, NULL, __WALL);
    // The kernel lets it go on when this process ends.
    sleep(atoi(words[2]));
    return 0;
}
