// libical: the RFC 5545 RRULE engine.
#pragma once
#include <libical/ical.h>
#include <stddef.h>

// The rule is a struct of some 2 kB that libical passes by value; Swift sees these three functions and a pointer.

// An iterator over the dates of `rule` from a first date on. NULL if libical cannot read the rule, or if it can tell
// that no date matches.
static inline icalrecur_iterator *ot_recur_new(const char *rule, int year, int month, int day) {
    struct icalrecurrencetype recurrence = icalrecurrencetype_from_string(rule);
    if (recurrence.freq == ICAL_NO_RECURRENCE) return NULL;
    struct icaltimetype start = icaltime_null_date();
    start.year = year;
    start.month = month;
    start.day = day;
    start.is_date = 1;
    return icalrecur_iterator_new(recurrence, start);
}

// The next date; 0 at the end, else 1.
static inline int ot_recur_next(icalrecur_iterator *iterator, int *year, int *month, int *day) {
    struct icaltimetype date = icalrecur_iterator_next(iterator);
    if (icaltime_is_null_time(date)) return 0;
    *year = date.year;
    *month = date.month;
    *day = date.day;
    return 1;
}
