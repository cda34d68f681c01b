// What the Glibc module of Swift hides: accept4, timerfd, eventfd, pidfd, peer credentials, thread names.
//
// Swift builds its Glibc module without _GNU_SOURCE, so a header included here brings only what that module shows;
// what is missing is declared by hand, as in the manual page of each function.
#pragma once
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "spawn.h"

// The flags of timerfd and eventfd are enumerators, which Swift imports as types of their own.

static inline int opentask_timer_create(void) {
    return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

// Absolute, and reported as ECANCELED by read() when somebody sets the clock. 0, or -1 with errno.
static inline int opentask_timer_arm(int fd, long long seconds) {
    struct itimerspec at = { .it_value = { .tv_sec = seconds } };
    return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &at, 0);
}

// Asks, changes nothing. A clock is synchronised until its daemon has been silent for long (STA_UNSYNC).
static inline int opentask_clock_is_synchronised(void) {
    struct timex ask = { .modes = 0 };
    return adjtimex(&ask) >= 0 && !(ask.status & STA_UNSYNC);
}

static inline int opentask_event_create(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

// accept4(2) with SOCK_CLOEXEC.
extern int accept4(int, struct sockaddr *, socklen_t *, int);
static inline int opentask_accept(int fd) { return accept4(fd, 0, 0, SOCK_CLOEXEC); }

// An enumerator, which Swift imports as a type of its own.
static const int opentask_SOCK_STREAM = SOCK_STREAM;

static inline int opentask_stream_socket(int domain) { return socket(domain, SOCK_STREAM | SOCK_CLOEXEC, 0); }

static inline int opentask_stream_pair(int fds[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds);
}

// unix(7), SO_PEERCRED: who connected, as of connect(2).
struct opentask_peer { int32_t pid; uint32_t uid; uint32_t gid; };

static inline int opentask_peer_credentials(int fd, struct opentask_peer *peer) {
    socklen_t size = sizeof *peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &size);
}

// socket(7), SO_PEERGROUPS: the supplementary groups of who connected; how many, or -1 (ERANGE: more than `most`).
static inline int opentask_peer_groups(int fd, uint32_t *groups, int most) {
    socklen_t size = (socklen_t)most * sizeof *groups;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0) return -1;
    return (int)(size / sizeof *groups);
}

// poll(2), POLLRDHUP: the other side has closed its sending half.
static const int opentask_POLLRDHUP = 0x2000;

// Names the calling thread; at most 15 bytes.
extern int pthread_setname_np(pthread_t, const char *);
static inline void opentask_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
