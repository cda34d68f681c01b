/// Date and time of the target (3.2, step 5): one of each, the leftmost.
extension Reading {
    mutating func readMoment() {
        readDate()
        readClock()
        settle()
        readLength()
    }

    private mutating func readDate() {
        var clockEnd: Int?
        for i in 0..<line.count {
            if let clock = line.clock(i) { clockEnd = clock.end }
            guard let hit = line.date(i), line.isMeant(hit, at: i, clockEnd: clockEnd) else { continue }
            take(hit, at: i)
            return
        }
    }

    private mutating func take(_ hit: DateHit, at i: Int) {
        day = hit.day
        switch hit.time {
        case .part(let found): part = part ?? found
        case let time: clock = time
        }
        if let end = line.joined(hit.end) ?? (hit.style == .plain ? line.joinedDay(hit.end) : nil) {
            keep(i..<end, "target")
            return
        }
        var end = hit.end
        if let bare = line.barePart(end) {
            part = bare.part
            end = bare.end
        }
        cut(i..<end, "target", preposition: true)
        settle()
    }

    private mutating func readClock() {
        var hasClock = clock != nil
        var hasPart = part != nil || rule?.part != nil
        var i = 0
        while i < line.count {
            if !hasPart, let hit = line.part(i) {
                part = hit.part
                if hit.isToday, day == nil { day = .on(here.today) }
                hasPart = true
                cut(i..<hit.end, "target")
                i = hit.end
                continue
            }
            if !hasClock, let hit = line.clock(i) {
                clock = hit.clock
                clockZone = hit.zone
                if let minutes = hit.minutes, estimate == nil { estimate = minutes }
                hasClock = true
                if let end = line.joinedClock(hit.end) {
                    keep(i..<end, "target")
                    i = end
                    continue
                }
                // `line.clock` has taken "at"; on, by and for go with it too.
                cut(i..<hit.end, "target", preposition: true)
                i = hit.end
                continue
            }
            i += 1
        }
    }

    /// `for 10 minutes` stays in the title and is the estimate (3.6).
    private mutating func readLength() {
        guard estimate == nil else { return }
        for i in 0..<line.count where line.key(i) == .for {
            guard let (value, end) = line.amount(i + 1), let minutes = line.unit(end)?.minutes,
                (1...1440).contains(value * minutes)
            else { continue }
            estimate = value * minutes
            keep(i..<end + 1, "estimate_minutes")
            return
        }
    }
}
