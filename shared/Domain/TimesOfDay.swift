// the instants that snoozes, automatic targets and periods are made of.

public import Time

/// the start of the local hour of `t` below minute 35, else that start plus one elapsed hour.
///
/// Minutes are local ones, so zones with offsets of 30 or 45 minutes round to their own full hours.
public func roundHour(_ t: Instant, zone: Zone) -> Instant {
    let local = zone.local(t)
    let intoHour = local.time.minute * 60 + local.time.second
    var start = t.adding(seconds: Int64(-intoHour))
    if zone.offset(at: start) != zone.offset(at: t), let hour = LocalTime(hour: local.time.hour, minute: 0) {
        // The clock was set within this hour (Lord Howe, by half an hour): its start is where put it.
        start = zone.instant(local.date, hour)
    }
    return local.time.minute < 35 ? start : start.adding(minutes: 60)
}

/// `hours` elapsed hours from now, rounded; 25 to 85 minutes ahead for one.
public func inHours(_ now: Instant, _ hours: Int, zone: Zone) -> Instant {
    inMinutes(now, 60 * hours, zone: zone)
}

/// X-13 for options that are no whole hours, such as "90".
public func inMinutes(_ now: Instant, _ minutes: Int, zone: Zone) -> Instant {
    roundHour(now.adding(minutes: minutes), zone: zone)
}

/// The earliest instant strictly after `t` at which a wall clock in `zone` shows `time` (by ).
func next(_ time: LocalTime, after t: Instant, zone: Zone) -> Instant {
    let today = zone.date(t)
    // From yesterday on: across a gap at midnight, yesterday's 23:45 lies in today.
    for days in -1...1 {
        let candidate = zone.instant(today.adding(days: days), time)
        if candidate > t { return candidate }
    }
    return zone.instant(today.adding(days: 2), time)
}

/// the morning of a date.
public func morning(of date: LocalDate, prefs: Preferences) -> Instant {
    prefs.zone.instant(date, prefs.morningTime)
}

/// the earliest morning strictly after `t`.
public func nextMorning(after t: Instant, prefs: Preferences) -> Instant {
    next(prefs.morningTime, after: t, zone: prefs.zone)
}

/// the period's earliest start strictly after `t`.
public func nextStart(of period: Period, after t: Instant, zone: Zone) -> Instant {
    next(period.start, after: t, zone: zone)
}

/// the earliest start of any period strictly after `t`; without periods, the next morning.
public func nextPeriod(after t: Instant, periods: [Period], prefs: Preferences) -> Instant {
    periods.map { nextStart(of: $0, after: t, zone: prefs.zone) }.min() ?? nextMorning(after: t, prefs: prefs)
}

/// the morning of tomorrow's local date, also just after midnight.
public func tomorrow(_ now: Instant, prefs: Preferences) -> Instant {
    morning(of: prefs.zone.date(now).adding(days: 1), prefs: prefs)
}

/// whether somebody who wakes and sleeps at these times is awake at a local time. Equal times: always.
public func isAwake(_ time: LocalTime, wake: LocalTime, sleep: LocalTime) -> Bool {
    let minute = time.minuteOfDay
    let (w, s) = (wake.minuteOfDay, sleep.minuteOfDay)
    return s > w ? w <= minute && minute < s : minute >= w || minute < s
}

/// X-9 at an instant.
public func isAwake(at t: Instant, prefs: Preferences) -> Bool {
    isAwake(prefs.zone.local(t).time, wake: prefs.wakeTime, sleep: prefs.sleepTime)
}

/// the length of the waking window in minutes, 1 to 1,440.
public func wakingWindow(_ prefs: Preferences) -> Int {
    let (w, s) = (prefs.wakeTime.minuteOfDay, prefs.sleepTime.minuteOfDay)
    return s > w ? s - w : 1440 - w + s
}

/// the local date on which the week of `date` begins.
public func weekStart(of date: LocalDate, prefs: Preferences) -> LocalDate {
    switch prefs.weekStart {
    case .monday: date.adding(days: -date.weekday)
    case .sunday: date.adding(days: -((date.weekday + 1) % 7))
    }
}
