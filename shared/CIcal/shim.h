// libical: the RFC 5545 RRULE engine.
#pragma once
#include <libical/ical.h>
