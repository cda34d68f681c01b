/// The rule of the line and what belongs to it (3.3, recurrence and rule extras).
extension Reading {
    mutating func readRule() {
        for i in 0..<line.count {
            guard let hit = line.recurrence(i) else { continue }
            if isNamed(i, hit.end) { continue }
            rule = hit
            isFromCompletion = hit.isFromCompletion
            cut(i..<hit.end, "rrule", preposition: line.key(i) != .on)
            settle()
            break
        }
        guard rule != nil || autoSnooze != nil else { return }
        readCompletion()
        readStart()
        readEnd()
    }

    /// "Every Day Is Christmas": a capitalised run that goes on.
    private func isNamed(_ i: Int, _ end: Int) -> Bool {
        let next = line[end]
        return i > 0 && line[i].isCapital && line[end - 1].isCapital && next.kind == .word && next.isCapital
            && !next.isAfterCut && line.clock(end) == nil
    }

    /// after completion, after I finish, from when I complete it.
    private mutating func readCompletion() {
        for i in 0..<line.count where line.isKey(i, .after, .from, .once, .when) {
            var next = i + 1
            if line.key(next) == .when { next += 1 }
            if line.isKey(next, .i, .it) { next += 1 }
            if line.isKey(next, .is, .have) { next += 1 }
            guard line.isKey(next, .completion, .complete, .completed, .finish, .finished, .done) else {
                continue
            }
            if line.isKey(i, .once, .when), next == i + 1 { continue }
            next += 1
            if line.isKey(next, .it, .this) { next += 1 }
            guard line.isClauseEnd(next) || line[i].isAfterCut else { continue }
            isFromCompletion = true
            cut(i..<next, "recurrence_mode")
            settle()
            return
        }
    }

    /// starting | beginning | from  DATE or TIME.
    private mutating func readStart() {
        for i in 0..<line.count where line.isKey(i, .starting, .beginning, .from) {
            var next = i + 1
            if line.isKey(next, .on, .at), line.date(next) == nil, line.clock(next) == nil { next += 1 }
            if line.key(next) == .on { next += 1 }
            if let date = line.date(next) {
                var end = date.end
                var found = date.time
                if let hit = line.clock(end) {
                    found = hit.clock
                    end = hit.end
                } else if let hit = line.barePart(end) {
                    found = .part(hit.part)
                    end = hit.end
                }
                ruleStart = (date.day, found)
                cut(i..<end, "target")
            } else if let hit = line.clock(next), hit.minutes == nil {
                ruleStart = (nil, hit.clock)
                cut(i..<hit.end, "target")
            } else {
                continue
            }
            settle()
            return
        }
    }

    /// until DATE, for N times or weeks: rules are endless, so these words become a note.
    private mutating func readEnd() {
        guard rule != nil else { return }
        for i in 0..<line.count {
            let end: Int
            if line.isKey(i, .until, .till) {
                if let date = line.date(i + 1) {
                    end = date.end
                } else if line.month(i + 1) != nil, line.ends(i + 2) {
                    end = line.year(i + 2) == nil ? i + 2 : i + 3
                } else {
                    continue
                }
            } else if line.key(i) == .for, line[i].isAfterCut || line.isClauseEnd(i + 3),
                let (_, next) = line.amount(i + 1),
                line.key(next) == .times || (line.unit(next)?.rawValue ?? 0) > 1
            {
                end = next + 1
            } else {
                continue
            }
            let words = text(i..<end)
            notes.append(words.prefix(1).uppercased() + words.dropFirst())
            cut(i..<end, "notes")
            settle()
            return
        }
    }
}
