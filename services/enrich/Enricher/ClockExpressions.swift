internal import Time

/// A time of day that was said.
enum Clock: Equatable {
    case exact(LocalTime)
    /// Without am and pm: 1 to 12 o'clock, to be decided (3.4).
    case open(hour: Int, minute: Int)
    case part(PartOfDay)
}

struct ClockHit {
    var end: Int
    var clock: Clock
    /// Of a range: its length.
    var minutes: Int?
    /// Minutes east of Greenwich of a zone that was named.
    var zone: Int?
    /// `this morning`, `tonight`: the day is said too.
    var isToday = false
}

/// Times of day (3.3, classes clock and clock range), unguarded but for what can be no time at all.
extension Line {
    /// A clock time at `i`, with `at`, `@` or `from` in front if there is one.
    func clock(_ i: Int) -> ClockHit? {
        guard starts(i) else { return nil }
        let hasAt = key(i) == .at || sign(i, "@")
        let next = hasAt || key(i) == .from ? i + 1 : i
        guard var hit = range(next, isFrom: key(i) == .from) ?? time(next, hasAt: hasAt) else { return nil }
        if key(i) == .from, hit.minutes == nil { return nil }
        guard ends(hit.end) else { return nil }
        if key(hit.end) == .zone, ends(hit.end + 1) {
            hit.zone = self[hit.end].lexeme.value
            hit.end += 1
        }
        return hit
    }

    private func time(_ i: Int, hasAt: Bool) -> ClockHit? {
        if let hit = spelled(i) { return hit }
        switch key(i) {
        case .noon: return word(i, .noon, hasAt: hasAt)
        case .midnight: return word(i, .midnight, hasAt: hasAt)
        case .half where key(i + 1) == .past: return past(i + 2, minutes: 30)
        case .unit where unit(i) == .quarter:
            if key(i + 1) == .past { return past(i + 2, minutes: 15) }
            if key(i + 1) == .to { return past(i + 2, minutes: -15) }
            return nil
        default: return digits(i, hasAt: hasAt)
        }
    }

    private func word(_ i: Int, _ part: PartOfDay, hasAt: Bool) -> ClockHit? {
        let isBeside = isClauseEnd(i + 1) || date(i + 1) != nil || isKey(i + 1, .with, .for)
        guard hasAt || isBeside else { return nil }
        return ClockHit(end: i + 1, clock: .exact(part.time(here)))
    }

    /// `N`, `N:MM`, with am and pm if they are there.
    private func digits(_ i: Int, hasAt: Bool) -> ClockHit? {
        guard let (hour, minute, end) = hourMinute(i) else { return nil }
        if let (isAfternoon, meridiemEnd) = meridiem(end) {
            guard (1...12).contains(hour),
                let time = LocalTime(
                    hour: hour % 12 + (isAfternoon ? 12 : 0), minute: minute ?? 0)
            else { return nil }
            return ClockHit(end: meridiemEnd, clock: .exact(time))
        }
        if let minute {
            // 24 hours, as written (3.4).
            guard let time = LocalTime(hour: hour, minute: minute) else { return nil }
            guard hasAt || standsAlone(i, end) else { return nil }
            return ClockHit(end: end, clock: .exact(time))
        }
        if key(end) == .oclock {
            return hour <= 12 ? ClockHit(end: end + 1, clock: .open(hour: hour, minute: 0)) : nil
        }
        guard hasAt, hour <= 23, mayFollowAt(end) else { return nil }
        if hour == 0 || hour > 12 { return ClockHit(end: end, clock: .exact(Circumstances.clock(hour, 0))) }
        return ClockHit(end: end, clock: .open(hour: hour, minute: 0))
    }

    /// Hour in digits or words, minutes behind a colon.
    private func hourMinute(_ i: Int) -> (hour: Int, minute: Int?, end: Int)? {
        let token = self[i]
        if token.kind == .word {
            guard key(i) == .number, token.lexeme.value <= 12 else { return nil }
            return (token.lexeme.value, nil, i + 1)
        }
        guard token.kind == .number, token.length <= 2, token.value <= 24 else { return nil }
        if sign(i + 1, ":"), isGlued(i + 1), isGlued(i + 2), self[i + 2].kind == .number {
            guard self[i + 2].length == 2, self[i + 2].value < 60 else { return nil }
            // 10:30:00 and 1:2:3 are something else.
            if sign(i + 3, ":"), isGlued(i + 3) { return nil }
            return (token.value, self[i + 2].value, i + 3)
        }
        if isDecimal(i) || sign(i + 1, "/") && isGlued(i + 1) || sign(i + 1, "%") { return nil }
        return (token.value, nil, i + 1)
    }

    /// am, pm, a.m., p.m., a, p glued to the hour.
    private func meridiem(_ i: Int) -> (isAfternoon: Bool, end: Int)? {
        switch key(i) {
        case .am: return (false, i + 1)
        case .pm: return (true, i + 1)
        case .a, .p:
            if isGlued(i), self[i - 1].kind == .number, ends(i + 1), !sign(i + 1, ".") {
                return (key(i) == .p, i + 1)
            }
            guard sign(i + 1, "."), key(i + 2) == .m, areGlued(i + 1, through: i + 2) else { return nil }
            let isDotted = sign(i + 3, ".") && isGlued(i + 3)
            return (key(i) == .p, isDotted ? i + 4 : i + 3)
        default: return nil
        }
    }

    /// `seven thirty pm` (dictation): needs am or pm.
    private func spelled(_ i: Int) -> ClockHit? {
        guard key(i) == .number, self[i].lexeme.value <= 12 else { return nil }
        guard let (minute, end) = amount(i + 1), self[i + 1].kind == .word, minute < 60, key(i + 1) != .a,
            let (isAfternoon, meridiemEnd) = meridiem(end)
        else { return nil }
        let hour = self[i].lexeme.value % 12 + (isAfternoon ? 12 : 0)
        return ClockHit(end: meridiemEnd, clock: .exact(Circumstances.clock(hour, minute)))
    }

    /// half past N, quarter to N.
    private func past(_ i: Int, minutes: Int) -> ClockHit? {
        guard let (hour, minute, end) = hourMinute(i), minute == nil, (1...12).contains(hour) else {
            return nil
        }
        let total = (hour * 60 + minutes + 720) % 720
        if let (isAfternoon, meridiemEnd) = meridiem(end) {
            let time = Circumstances.clock(total / 60 + (isAfternoon ? 12 : 0), total % 60)
            return ClockHit(end: meridiemEnd, clock: .exact(time))
        }
        return ClockHit(end: end, clock: .open(hour: total < 60 ? 12 : total / 60, minute: total % 60))
    }

    /// `3-4pm`, `from 9:30 to 11am`, `3pm to 4:30pm`.
    private func range(_ i: Int, isFrom: Bool) -> ClockHit? {
        guard let (hour, minute, end) = hourMinute(i) else { return nil }
        let first = meridiem(end)
        let dash = first?.end ?? end
        guard sign(dash, "-") || sign(dash, "–") || isKey(dash, .to, .until, .till),
            let (endHour, endMinute, next) = hourMinute(dash + 1)
        else { return nil }
        let second = meridiem(next)
        let isClock = minute != nil && endMinute != nil
        guard second != nil || isFrom && (isClock || first != nil) || isClock && standsAlone(i, next)
        else { return nil }
        guard let stop = minuteOfDay(endHour, endMinute, second?.isAfternoon),
            var start = minuteOfDay(hour, minute, first?.isAfternoon ?? second?.isAfternoon)
        else { return nil }
        // 11-1pm begins in the morning.
        if first == nil, second != nil, start > stop { start -= 720 }
        guard start >= 0, stop > start else { return nil }
        return ClockHit(
            end: second?.end ?? next, clock: .exact(Circumstances.clock(start / 60, start % 60)),
            minutes: stop - start)
    }

    private func minuteOfDay(_ hour: Int, _ minute: Int?, _ isAfternoon: Bool?) -> Int? {
        guard let isAfternoon else { return LocalTime(hour: hour, minute: minute ?? 0)?.minuteOfDay }
        if hour > 12 { return LocalTime(hour: hour, minute: minute ?? 0)?.minuteOfDay }
        guard hour > 0 else { return nil }
        return (hour % 12 + (isAfternoon ? 12 : 0)) * 60 + (minute ?? 0)
    }

    // MARK: Guards

    /// H:MM without "at": at an edge, or beside a date; not behind a name (John 3:16).
    private func standsAlone(_ i: Int, _ end: Int) -> Bool {
        let before = self[i - 1]
        if i > 1, before.isCapital, !self[i].isAfterCut, !isDateWord(i - 1) { return false }
        return isClauseStart(i) || isClauseEnd(end) || startsDate(end) || isDateWord(i - 1)
            || key(end) == .zone
    }

    private func isDateWord(_ i: Int) -> Bool { isKey(i, .weekday, .today, .tomorrow, .tonight, .month) }

    private func startsDate(_ i: Int) -> Bool { date(i) != nil || isKey(i, .on, .every, .each) }

    /// What may stand behind `at N`: not a unit, a noun or a street (3.5).
    private func mayFollowAt(_ i: Int) -> Bool {
        if isClauseEnd(i) || !self[i].isSpaced && self[i].kind == .symbol { return true }
        if isGlued(i) { return false }
        switch key(i) {
        case .with, .for, .on, .in, .to, .and, .or, .from, .every, .each, .until, .by, .before, .about,
            .today,
            .tomorrow, .tonight, .weekday, .this, .next, .month, .adverb, .zone, .please, .starting,
            .at, .like, .so, .my, .the, .not, .no:
            return true
        default: return date(i) != nil || self[i].kind == .sign && !sign(i, "%")
        }
    }
}
