// Starting a child as systemd does: Swift has no fork(), and posix_spawn() cannot put the child's own number into
// LISTEN_PID.
#pragma once
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { OPENTASK_MOST_SOCKETS = 16 };

struct opentask_child {
    const char *path;
    char *const *argv;
    char *const *envp;
    // Where in envp the digits of LISTEN_PID go; room for 12 bytes. NULL: nothing is handed over.
    char *listen_pid;
    // Become descriptors 3, 4, ...; at most OPENTASK_MOST_SOCKETS.
    const int *sockets;
    int socket_count;
    // Becomes standard output and standard error.
    int output;
};

// Digits of a positive number, without snprintf(), which is not safe between fork() and execve().
static inline void opentask_write_digits(char *at, int number) {
    char digits[12];
    int count = 0;
    do { digits[count++] = (char) ('0' + number % 10); number /= 10; } while (number > 0);
    while (count > 0) *at++ = digits[--count];
    *at = 0;
}

// The child's number, or -1 with errno. A child that cannot execute its program ends with status 127.
//
// The child has a process group of its own, so that Ctrl-C reaches its parent alone; when the thread that started it
// ends, it gets SIGTERM. Every descriptor but those handed over is closed on execution.
static inline pid_t opentask_spawn(const struct opentask_child *child) {
    pid_t parent = getpid();
    pid_t id = fork();
    if (id != 0) return id;

    // Only async-signal-safe calls from here on: another thread may have held any lock at the fork.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);

    signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);

    int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, 0) < 0 || dup2(child->output, 1) < 0 || dup2(child->output, 2) < 0) _exit(127);

    // First out of the way, then into place: a source may stand where another one has to go.
    int moved[OPENTASK_MOST_SOCKETS];
    for (int i = 0; i < child->socket_count; i++) {
        moved[i] = fcntl(child->sockets[i], F_DUPFD_CLOEXEC, 3 + OPENTASK_MOST_SOCKETS);
        if (moved[i] < 0) _exit(127);
    }
    for (int i = 0; i < child->socket_count; i++)
        if (dup2(moved[i], 3 + i) < 0) _exit(127);
    // Linux 5.11; before it the parent's own close-on-exec flags have to do.
    syscall(SYS_close_range, 3 + child->socket_count, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);

    if (child->listen_pid) opentask_write_digits(child->listen_pid, getpid());
    execve(child->path, child->argv, child->envp);
    _exit(127);
}

// pipe2(2) with O_CLOEXEC, which needs _GNU_SOURCE.
static inline int opentask_pipe(int ends[2]) {
    return (int) syscall(SYS_pipe2, ends, O_CLOEXEC);
}

// A descriptor that becomes readable when the process ends, close-on-exec (pidfd_open(2), Linux 5.3); -1 with errno.
static inline int opentask_process_descriptor(pid_t id) {
    return (int) syscall(SYS_pidfd_open, id, 0);
}

// Sends a signal to the very process of the descriptor, whoever has its number by now.
static inline int opentask_send_signal(int process, int number) {
    return (int) syscall(SYS_pidfd_send_signal, process, number, NULL, 0);
}

// Makes the signals readable, non-blocking, close-on-exec; -1 with errno.
static inline int opentask_signal_descriptor(const sigset_t *signals) {
    return signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

// The number of the next signal, 0 when none waits.
static inline int opentask_next_signal(int fd) {
    struct signalfd_siginfo info;
    return read(fd, &info, sizeof info) == sizeof info ? (int) info.ssi_signo : 0;
}
