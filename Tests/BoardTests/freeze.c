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
    // The kernel lets it go on when this process ends; when it is killed, its process is gone only after this one has taken note.
    alarm(atoi(words[2]));
    int status;
    do {
        if (waitpid(thread, &status, __WALL) != thread) return 1;
    } while (WIFSTOPPED(status));
    return 0;
}
