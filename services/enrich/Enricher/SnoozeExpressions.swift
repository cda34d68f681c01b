/// Auto-snooze, and rules below a day, which become one (3.3, class sub-daily).
extension Reading {
    mutating func readSnooze() {
        for i in 0..<line.count {
            guard let (minutes, range) = snoozePhrase(i) ?? subDaily(i) else { continue }
            autoSnooze = minutes
            cut(range, "auto_snooze_minutes")
            settle()
            return
        }
    }

    /// [no] [auto-]snooze [every | for] N minutes.
    private func snoozePhrase(_ i: Int) -> (Int, Range<Int>)? {
        var next = i
        if line.key(next) == .no { next += 1 }
        if line.key(next) == .auto {
            next += line.sign(next + 1, "-") ? 2 : 1
            guard line.key(next) == .snooze else { return nil }
        } else {
            guard line.isKey(next, .snooze, .autosnooze) else { return nil }
        }
        if line.key(i) == .no { return line.ends(next + 1) ? (0, i..<next + 1) : nil }
        var amount = next + 1
        if line.isKey(amount, .every, .for, .of) || line.sign(amount, ":") { amount += 1 }
        guard let (minutes, end) = minutes(amount) else { return nil }
        return (minutes, i..<end)
    }

    /// every N minutes, every hour, every half hour.
    private func subDaily(_ i: Int) -> (Int, Range<Int>)? {
        guard line.isKey(i, .every, .each, .ev), line.starts(i) else { return nil }
        if let (minutes, end) = minutes(i + 1) { return (minutes, i..<end) }
        if line.key(i + 1) == .half, line.unit(line.isKey(i + 2, .a, .an) ? i + 3 : i + 2) == .hour {
            return (30, i..<(line.isKey(i + 2, .a, .an) ? i + 4 : i + 3))
        }
        if line.key(i + 1) == .other, line.unit(i + 2) == .hour { return (120, i..<i + 3) }
        guard let minutes = line.unit(i + 1)?.minutes, line.ends(i + 2) else { return nil }
        return (minutes, i..<i + 2)
    }

    /// N minutes or hours, a day at most.
    private func minutes(_ i: Int) -> (Int, end: Int)? {
        guard let (value, end) = line.amount(i), let minutes = line.unit(end)?.minutes, line.ends(end + 1),
            value * minutes <= 1440
        else { return nil }
        return (value * minutes, end + 1)
    }
}
