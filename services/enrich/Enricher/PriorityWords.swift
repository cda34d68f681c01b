/// The levels that were found, by how they were said (3.4, two priorities).
struct PriorityFound {
    private var marked = 0
    private var phrase = 0
    private var word = 0
    private var isLow = false

    mutating func mark(_ level: Int) { marked = max(marked, level) }
    mutating func phrase(_ level: Int) { phrase = phrase == 0 ? level : max(phrase, level) }
    mutating func word(_ level: Int) { if level == 1 { isLow = true } else { word = max(word, level) } }

    /// A mark beats a phrase, a phrase beats words; "not urgent" beats "urgent"; else the higher.
    var level: Int {
        if marked > 0 { return marked }
        if phrase > 0 { return phrase }
        return isLow ? 1 : word
    }
}

/// Priority in words (3.3, class priority).
extension Reading {
    mutating func readPriority() {
        var i = 0
        while i < line.count {
            i = priorityPhrase(i) ?? priorityWord(i) ?? i + 1
        }
        settle()
    }

    /// [make it | this is | it's] high priority[:].
    private mutating func priorityPhrase(_ i: Int) -> Int? {
        let next = lead(i)
        let level: Int
        switch line.key(next) {
        case .high, .top: level = 3
        case .medium, .normal: level = 2
        case .low: level = 1
        case .urgent: level = 4
        default: return nil
        }
        guard line.key(next + 1) == .priority_, line.ends(next + 2) else { return nil }
        let end = next + 2
        guard line.isClauseStart(i) || line.isClauseEnd(end) || next > i || line.key(i - 1) == .but,
            !isPriorityNoun(end)
        else { return nil }
        priority.phrase(level)
        return cutPriority(i, end)
    }

    private func isPriorityNoun(_ i: Int) -> Bool {
        switch line[i].lower {
        case "inbox", "list", "queue", "lane", "mail", "email", "task", "tasks", "item", "items", "ticket",
            "tickets",
            "box", "pass", "seating", "boarding":
            !line[i].isAfterCut
        default: false
        }
    }

    /// Where the level begins behind "make it", "this is", "it's kind of".
    private func lead(_ i: Int) -> Int {
        var next = i
        if line.isKey(i, .make, .mark), line.key(i + 1) == .it {
            next = line.key(i + 2) == .as ? i + 3 : i + 2
        } else if line.isKey(i, .this, .it, .that), line.key(i + 1) == .is {
            next = i + 2
        } else if line.key(i) == .its {
            next = i + 1
        }
        if line.key(next) == .kind, line.key(next + 1) == .of { next += 2 }
        if line.isKey(next, .really, .very, .so) { next += 1 }
        if line.key(next) == .a { next += 1 }
        return next
    }

    private mutating func priorityWord(_ i: Int) -> Int? {
        let next = lead(i)
        let isLed = next > i
        switch line.key(next) {
        case .urgent, .asap, .immediately: return urgency(i, next + 1, isLed: isLed)
        case .right where line.key(next + 1) == .now: return urgency(i, next + 2, isLed: isLed)
        case .critical: return critical(i, next, isLed: isLed)
        case .important:
            let isLabel = line.sign(next + 1, ":") && line.isClauseStart(i)
            let isSaid =
                isLed && (line.key(i) != .very && line.key(i) != .really || line.isClauseEnd(next + 1))
            guard isLabel || isSaid else { return nil }
            priority.word(3)
            return cutPriority(i, next + 1)
        case .not where line.key(next + 1) == .urgent: return low(i, next + 2)
        case .no where line.key(next + 1) == .rush: return low(i, next + 2)
        case .whenever where line.isClauseEnd(next + 1) && next > 0: return low(i, next + 1)
        default: return nil
        }
    }

    private mutating func low(_ i: Int, _ end: Int) -> Int? {
        guard line.isClauseStart(i) || line.isClauseEnd(end) else { return nil }
        priority.word(1)
        return cutPriority(i, end)
    }

    /// At the edge of a clause, or behind "it's kind of".
    private mutating func urgency(_ i: Int, _ end: Int, isLed: Bool) -> Int? {
        let isAtEnd = end >= line.count || line[end].isAfterCut || line.isBreak(end)
        let isAtStart = line.isClauseStart(i) && !line.isNoun(end)
        guard line.ends(end), isLed || isAtEnd || isAtStart else { return nil }
        // "urgent: yes" may be, "set it to urgent" may not.
        if !isLed, line.isKey(i - 1, .to, .not, .as), !line[i].isAfterCut { return nil }
        priority.word(4)
        return cutPriority(i, end)
    }

    /// "critical bug" keeps its words; "critical:" does not.
    private mutating func critical(_ i: Int, _ at: Int, isLed: Bool) -> Int? {
        switch line[at + 1].lower {
        case "alert", "bug", "issue", "outage", "incident":
            priority.word(4)
            keep(at..<at + 1, "priority")
            return at + 2
        default: break
        }
        guard line.sign(at + 1, ":") || isLed && line.isClauseEnd(at + 1) else { return nil }
        priority.word(4)
        return cutPriority(i, at + 1)
    }

    /// With the "but" or "and" that ties it to the words before, and the colon behind.
    private mutating func cutPriority(_ first: Int, _ end: Int) -> Int {
        let isTied = line.isKey(first - 1, .but, .and)
        let last = line.sign(end, ":") ? end + 1 : end
        cut(isTied ? first - 1..<last : first..<last, "priority")
        return last
    }
}
