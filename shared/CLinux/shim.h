// What the Glibc module of Swift hides: accept4, timerfd, eventfd, pidfd, peer credentials.
#pragma once
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
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

static inline int opentask_event_create(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}
