/// Guards against false dates (3.5).
extension Line {
    /// Whether the date expression at `i` is meant as one.
    ///
    /// - Parameter clockEnd: where a time before it ends, if there is one.
    func isMeant(_ hit: DateHit, at i: Int, clockEnd: Int?) -> Bool {
        let before = key(i - 1)
        if before == .last || isKey(i - 1, .than) { return false }
        let clock = clock(hit.end)
        let part = barePart(hit.end)
        let end = clock?.end ?? part?.end ?? hit.end
        if isName(i, end, hit) { return false }
        let isBesideTime =
            clock != nil || part != nil || clockEnd == i || key(i - 1) == .on && clockEnd == i - 1
        let isLast = isClauseEnd(hit.end) || joined(hit.end) != nil
        switch hit.style {
        case .plain, .month:
            return before != .for || isLast || isBesideTime || startsRest(hit.end)
        case .weekday:
            if before == .for { return isLast || isBesideTime }
            if isKey(i - 1, .on, .by, .before, .due, .starting, .until, .at) || isBesideTime { return true }
            let token = self[i]
            if isLast || isKey(hit.end, .with, .at, .every) {
                // A sun hat, a cat that sat: the short words need more.
                return !(token.lexeme.isShort && token.lexeme.value >= 5)
            }
            return i == 0 && self[hit.end].lexeme.isVerb
                || isClauseStart(i) && i > 0 && self[hit.end].lexeme.isVerb
        case .slash:
            let isBehindWord = isKey(i - 1, .on, .by, .due, .before, .starting, .until, .from, .for)
            if isFraction(i) { return isKey(i - 1, .on, .by, .due) }
            if key(hit.end) == .of { return false }
            return isBehindWord || isClauseStart(i) || isLast || isBesideTime
        case .nth:
            if isLast || isBesideTime || isKey(hit.end, .at, .for, .with) { return true }
            return before == .on && (self[hit.end].lexeme.isVerb || isKey(hit.end, .from, .in, .by, .and))
        }
    }

    /// What may follow `for tomorrow` when it is a date: not the noun that it describes.
    private func startsRest(_ i: Int) -> Bool { !isNoun(i) && !self[i].lexeme.isVerb }

    /// Part of a name or a title: Friday Night Lights, The Man Who Was Thursday, USA Today, Black Friday.
    private func isName(_ i: Int, _ end: Int, _ hit: DateHit) -> Bool {
        let first = self[i]
        let before = self[i - 1]
        if first.key == .weekday {
            switch before.lower {
            case "black", "good", "cyber", "fat", "taco", "ash", "super", "palm", "easter", "casual",
                "throwback":
                return true
            default: break
            }
            if key(end) == .the, self[end + 1].value == 13, self[end + 2].lower == "th" { return true }
        }
        if before.lower == "usa" || before.lower == "psychology" { return first.key == .today }
        guard first.isCapital, i > 0 || self[end].kind == .word else { return false }
        if first.key == .the { return i > 0 }
        let next = self[end]
        if next.kind == .word, next.isCapital, next.lower != "i", !next.isAfterCut, next.isSpaced {
            return i > 0 || end + 1 >= count || self[end + 1].isCapital
        }
        guard i > 1, before.isCapital, !first.isAfterCut,
            hit.style == .weekday || isKey(i, .today, .tomorrow, .tonight, .unit)
        else { return false }
        switch before.lower {
        case "was", "is", "of", "the", "and", "in", "to", "a", "an", "my", "are", "until", "like", "never",
            "after":
            return true
        default: return false
        }
    }

    /// The end of a second date that is joined to one ending before `i`: or, and, to, `-` (3.5), or, of weekdays,
    /// nothing at all (`mon wed fri`).
    func joined(_ i: Int) -> Int? {
        if weekday(i) != nil, weekday(i - 1) != nil, !self[i].isAfterCut {
            var end = i
            while weekday(end) != nil { end += 1 }
            return end
        }
        if isKey(i, .or, .and, .to, .through, .thru, .until) || sign(i, "-") || sign(i, "–") || sign(i, "/")
            || sign(i, "&")
        {
            if let second = date(i + 1), isClauseEnd(second.end) || barePart(second.end) != nil {
                return second.end
            }
        }
        return nil
    }

    /// The end of a second time that is joined to one ending before `i`: `7am and 6pm`.
    func joinedClock(_ i: Int) -> Int? {
        guard isKey(i, .or, .and) || sign(i, "&") || sign(i, "/") || sign(i, ",") else { return nil }
        return clock(key(i + 1) == .and ? i + 2 : i + 1)?.end
    }

    /// `feb 3-5`, `feb 3 to 5`: days of the same month behind it.
    func joinedDay(_ i: Int) -> Int? {
        guard sign(i, "-") || sign(i, "–") || isKey(i, .to, .and, .or, .through) else { return nil }
        guard let (_, end) = dayOfMonth(i + 1), ends(end) else { return nil }
        return end
    }
}
