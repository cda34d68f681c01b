// libsystemd: sd_listen_fds, sd_notify, watchdog, journal.
#pragma once
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
