// What the Glibc module of Swift hides: accept4, timerfd, pidfd, peer credentials.
#pragma once
#define _GNU_SOURCE
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/syscall.h>
#include <unistd.h>
