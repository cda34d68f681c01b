/// Marks (3.3): p1, !!, !high, ~30m, [45m], and the signs of the user's quick-add syntax before a name.
extension Reading {
    mutating func readMarks() {
        var i = 0
        while i < line.count {
            i = mark(i) ?? i + 1
        }
        readTrailingLabels()
        settle()
    }

    private mutating func mark(_ i: Int) -> Int? {
        guard line.starts(i) else { return nil }
        let token = line[i]
        switch token.kind {
        case .word where token.key == .p: return priorityNumber(i)
        case .sign: return signMark(i)
        default: return nil
        }
    }

    /// p1 (urgent) to p4 (low).
    private mutating func priorityNumber(_ i: Int) -> Int? {
        guard line.isGlued(i + 1), line[i + 1].kind == .number, line[i + 1].length == 1,
            (1...4).contains(line[i + 1].value), line.ends(i + 2)
        else { return nil }
        priority.mark(5 - line[i + 1].value)
        cut(i..<i + 2, "priority")
        return i + 2
    }

    private mutating func signMark(_ i: Int) -> Int? {
        if line.sign(i, "!") { return exclamation(i) }
        if line.sign(i, "~"), let hit = length(i + 1), line.isGlued(i + 1) {
            return estimate(i..<hit.end, hit.minutes)
        }
        if line.sign(i, "["), let hit = length(i + 1), line.sign(hit.end, "]") {
            return estimate(i..<hit.end + 1, hit.minutes)
        }
        let (project, label): (Unicode.Scalar?, Unicode.Scalar?) =
            switch here.syntax {
            case .todoist: ("#", "@")
            case .vikunja: ("+", "*")
            case .ticktick: ("~", "#")
            case .words: (nil, nil)
            }
        if let project, line.sign(i, project) {
            if let end = projectMark(i) { return end }
            // Todoist: `#` also means a label that exists.
            return here.syntax == .todoist ? labelMark(i) : nil
        }
        if let label, line.sign(i, label) { return labelMark(i) }
        return nil
    }

    private mutating func estimate(_ tokens: Range<Int>, _ minutes: Int) -> Int? {
        guard estimate == nil, (1...1440).contains(minutes) else { return nil }
        estimate = minutes
        cut(tokens, "estimate_minutes")
        return tokens.upperBound
    }

    /// 30m, 1h, 45 min.
    private func length(_ i: Int) -> (minutes: Int, end: Int)? {
        guard line[i].kind == .number, (1...1440).contains(line[i].value) else { return nil }
        if line.key(i + 1) == .m, line.isGlued(i + 1) { return (line[i].value, i + 2) }
        guard let minutes = line.unit(i + 1)?.minutes else { return nil }
        return (line[i].value * minutes, i + 2)
    }

    /// !!, !!!, !low … !urgent; vikunja's !1 … !5. A single `!` is punctuation.
    private mutating func exclamation(_ i: Int) -> Int? {
        guard line[i].isSpaced else { return nil }
        var end = i + 1
        while line.sign(end, "!"), line.isGlued(end) { end += 1 }
        if end - i >= 2, end - i <= 3, line.ends(end) {
            priority.mark(end - i == 2 ? 3 : 4)
            cut(i..<end, "priority")
            return end
        }
        guard end == i + 1, line.isGlued(end) else { return nil }
        let level: Int? =
            switch line.key(end) {
            case .low: 1
            case .medium, .med, .normal: 2
            case .high: 3
            case .urgent: 4
            default: here.syntax == .vikunja ? vikunjaLevel(end) : nil
            }
        guard let level, line.ends(end + 1) else { return nil }
        priority.mark(level)
        cut(i..<end + 1, "priority")
        return end + 1
    }

    private func vikunjaLevel(_ i: Int) -> Int? {
        guard line[i].kind == .number, line[i].length == 1, (1...5).contains(line[i].value) else {
            return nil
        }
        return min(4, line[i].value)
    }

    // MARK: Names

    /// The name behind a mark: words and numbers joined by `-` and `_`; with a quoted one taken whole.
    private func name(_ i: Int) -> (text: String, end: Int)? {
        guard line.isGlued(i) else { return nil }
        var end = i
        while end < line.count, end == i || line.isGlued(end) {
            let token = line[end]
            let isJoint = token.isSign("-") || token.isSign("_")
            guard token.kind == .word || token.kind == .number || isJoint && end > i && line.isGlued(end + 1)
            else { break }
            end += 1
        }
        guard end > i, line[i].kind == .word || end > i + 1, line.ends(end) else { return nil }
        return (text(i..<end), end)
    }

    private mutating func projectMark(_ i: Int) -> Int? {
        guard let (text, end) = name(i + 1) else { return nil }
        let squashed = NamedThing.squash(text)
        guard let found = here.projects.first(where: { $0.squashed == squashed }) else { return nil }
        if project == nil { project = found.name }
        cut(i..<end, "project")
        return end
    }

    private mutating func labelMark(_ i: Int) -> Int? {
        guard let (text, end) = name(i + 1) else { return nil }
        let squashed = NamedThing.squash(text)
        guard let found = here.labels.first(where: { $0.squashed == squashed }) else { return nil }
        addLabel(found.name)
        cut(i..<end, "labels")
        return end
    }

    mutating func addLabel(_ name: String) {
        if !labels.contains(where: { $0.lowercased() == name.lowercased() }), labels.count < 10 {
            labels.append(name)
        }
    }

    /// New labels: only in the run of marks at the end; elsewhere an `@name` is a mention.
    private mutating func readTrailingLabels() {
        let label: Unicode.Scalar
        switch here.syntax {
        case .todoist: label = "@"
        case .vikunja: label = "*"
        case .ticktick: label = "#"
        case .words: return
        }
        let isCut = Set(pendingTokens)
        var end = line.count
        var found: [(String, Range<Int>)] = []
        while end > 0 {
            if isCut.contains(end - 1) {
                end -= 1
                continue
            }
            guard let start = markStart(before: end, label), let (text, nameEnd) = name(start + 1),
                nameEnd == end,
                line[start].isSpaced, start > 0 || !found.isEmpty || !isCut.isEmpty, line.clock(start) == nil
            else { break }
            found.append((text, start..<end))
            end = start
        }
        for (text, range) in found.reversed() {
            guard !text.lowercased().hasPrefix("ai-"), text.count <= 50 else { continue }
            addLabel(text)
            cut(range, "labels")
        }
    }

    private func markStart(before end: Int, _ mark: Unicode.Scalar) -> Int? {
        var i = end - 1
        while i >= 0, !line.sign(i, mark) {
            guard line.isGlued(i) else { return nil }
            i -= 1
        }
        return i >= 0 ? i : nil
    }
}
