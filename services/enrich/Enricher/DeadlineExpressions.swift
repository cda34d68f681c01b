internal import Time

/// A recognised deadline (3.3): the date, the time, or both.
struct DeadlineHit {
    var end: Int
    var day: Day?
    var clock: Clock?
    /// before DATE: the day before.
    var isBefore = false
}

extension Reading {
    /// The leftmost deadline.
    mutating func readDeadline() {
        for i in 0..<line.count {
            guard let hit = line.deadline(i) else { continue }
            deadline = hit
            cut(i..<hit.end, "deadline")
            settle()
            return
        }
    }
}

extension Line {
    func deadline(_ i: Int) -> DeadlineHit? {
        guard starts(i) else { return nil }
        switch key(i) {
        case .due:
            let next = isKey(i + 1, .by, .on, .at) ? i + 2 : i + 1
            return moment(key(i + 1) == .at ? i + 1 : next)
        case .by: return moment(i + 1) ?? bareDay(i + 1)
        case .before:
            guard var hit = moment(i + 1) else { return nil }
            hit.isBefore = true
            return hit
        case .deadline:
            var next = i + 1
            if sign(next, ":") || key(next) == .is { next += 1 }
            if isKey(next, .on, .by, .at) { next += 1 }
            return moment(next)
        case .no where self[i + 1].lower == "later" && key(i + 2) == .than: return moment(i + 3)
        case .within:
            guard let (value, end) = amount(i + 1), let unit = unit(end), ends(end + 1),
                var hit = later(value, unit, from: nil, end: end + 1)
            else { return nil }
            hit.end = end + 1
            return DeadlineHit(end: hit.end, day: hit.day, clock: hit.time)
        default:
            guard sign(i, "{"), var hit = moment(i + 1), sign(hit.end, "}") else { return nil }
            hit.end += 1
            return hit
        }
    }

    /// date [time], or time [date].
    private func moment(_ i: Int) -> DeadlineHit? {
        if let date = date(i) {
            // A name: by Friday Harbor.
            if date.style == .weekday, self[i].isCapital, self[date.end].isCapital,
                self[date.end].kind == .word,
                self[date.end].isSpaced, !self[date.end].isAfterCut, clock(date.end) == nil,
                barePart(date.end) == nil
            {
                return nil
            }
            if key(i) == .in { return nil }
            if let clock = clock(date.end) {
                return DeadlineHit(end: clock.end, day: date.day, clock: clock.clock)
            }
            if let part = barePart(date.end) ?? part(date.end) {
                return DeadlineHit(end: part.end, day: date.day, clock: .part(part.part))
            }
            return DeadlineHit(end: date.end, day: date.day, clock: date.time)
        }
        if let month = month(i), isClauseEnd(i + 1), let date = upcoming(month, 1) {
            return DeadlineHit(end: i + 1, day: .on(date))
        }
        guard key(i) != .from, let clock = clock(i), clock.minutes == nil else { return nil }
        if let date = date(clock.end) { return DeadlineHit(end: date.end, day: date.day, clock: clock.clock) }
        if key(clock.end) == .on, let date = date(clock.end + 1) {
            return DeadlineHit(end: date.end, day: date.day, clock: clock.clock)
        }
        return DeadlineHit(end: clock.end, day: nil, clock: clock.clock)
    }

    /// by 20th.
    private func bareDay(_ i: Int) -> DeadlineHit? {
        guard self[i].kind == .number, let (day, end) = ordinal(i), isClauseEnd(end) else { return nil }
        var month = here.today.adding(days: 1 - here.today.day)
        for _ in 0..<12 {
            if let date = LocalDate(year: month.year, month: month.month, day: day), date >= here.today {
                return DeadlineHit(end: end, day: .on(date))
            }
            month = month.adding(months: 1)
        }
        return nil
    }
}
