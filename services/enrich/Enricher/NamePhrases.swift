/// Labels and projects in words (3.3).
extension Reading {
    mutating func readNames() {
        readLabelPhrase()
        if project == nil { readProjectPhrase() }
        if project == nil { readProjectName() }
        settle()
    }

    // MARK: Labels

    /// label | tag | mark it (as) X; add the X label; with the X label.
    private mutating func readLabelPhrase() {
        for i in 0..<line.count {
            guard let (range, name) = labelPhrase(i) else { continue }
            let whole = leadingWords(range.lowerBound)..<range.upperBound
            // Nothing would be left: then it is the task itself.
            guard whole.count < line.count else { continue }
            addLabel(name)
            cut(whole, "labels")
            settle()
            return
        }
    }

    private func labelPhrase(_ i: Int) -> (Range<Int>, String)? {
        if line.isKey(i, .label, .tag, .mark), line.isKey(i + 1, .it, .this) {
            let isAs = line.isKey(i + 2, .as, .with)
            guard isAs || line.key(i) != .mark else { return nil }
            let next = isAs ? i + 3 : i + 2
            guard let (name, end) = label(next, isNew: true) else { return nil }
            let isSaid = line.key(end) == .label
            guard isSaid || line.isClauseEnd(end) else { return nil }
            return (i..<(isSaid ? end + 1 : end), name)
        }
        guard line.isKey(i, .add, .with) else { return nil }
        let next = line.isKey(i + 1, .the, .a) ? i + 2 : i + 1
        if line.isKey(next, .label, .tag), next > i + 1 || line.key(i) == .add,
            let (name, end) = label(next + 1, isNew: false)
        {
            return (i..<end, name)
        }
        guard let (name, end) = label(next, isNew: false), line.isKey(end, .label, .tag) else { return nil }
        return (i..<end + 1, name)
    }

    /// A label of the user that begins at `i`, or, if a new one may be named, one word.
    private func label(_ i: Int, isNew: Bool) -> (String, Int)? {
        for known in here.labels {
            if let end = line.match(known.words, at: i) { return (known.name, end) }
        }
        guard isNew, line[i].kind == .word, line.isKey(i, .none), !line[i].lower.hasPrefix("ai-") else {
            return nil
        }
        var end = i + 1
        while line.sign(end, "-"), line.isGlued(end), line.isGlued(end + 1), line[end + 1].kind == .word {
            end += 2
        }
        return (text(i..<end), end)
    }

    /// "and", "then", a comma before the phrase go with it.
    private func leadingWords(_ i: Int) -> Int {
        var first = i
        while first > 0, line.isKey(first - 1, .and, .then, .please) || line.sign(first - 1, ",") {
            first -= 1
        }
        return first
    }

    // MARK: Projects

    /// add | put | file | move it (to, in, under) [the] NAME [project, list].
    private mutating func readProjectPhrase() {
        for i in 0..<line.count where line.isKey(i, .add, .put, .file, .move) && line.isKey(i + 1, .it, .this)
        {
            var next = i + 2
            guard line.isKey(next, .to, .in, .under, .on) || ["into", "onto"].contains(line[next].lower)
            else { continue }
            next += 1
            if line.isKey(next, .the, .my) { next += 1 }
            guard let (name, nameEnd) = partialProject(next) else { continue }
            let first = leadingWords(i)
            let end = line.isKey(nameEnd, .project, .list) ? nameEnd + 1 : nameEnd
            guard line.isClauseEnd(end), first > 0 || end < line.count else { continue }
            project = name
            cut(first..<end, "project")
            return
        }
    }

    /// A full name, or some of its words (I2: "shopping" for Shopping List); the longest.
    private func partialProject(_ i: Int) -> (String, Int)? {
        var best: (String, Int)?
        for known in here.projects {
            var end = line.match(known.words, at: i)
            if end == nil {
                var next = i
                while line[next].kind == .word, known.words.contains(line[next].lower) { next += 1 }
                let isLong = next > i + 1 || line[i].lower.count >= 3
                end = next > i && isLong ? next : nil
            }
            if let end, end > best?.1 ?? i { best = (known.name, end) }
        }
        return best
    }

    /// A bare full name, as a noun; the words stay. One word alone says too little: go home, at work.
    private mutating func readProjectName() {
        guard !here.projects.isEmpty else { return }
        for i in 0..<line.count where line[i].kind == .word {
            for known in here.projects where known.words.first == line[i].lower {
                guard let end = line.match(known.words, at: i), line.starts(i), line.ends(end) else {
                    continue
                }
                if i == 0, line.sign(end, ":"), end + 1 < line.count {
                    project = known.name
                    cut(0..<end + 1, "project")
                    return
                }
                guard
                    end - i > 1 || line.isKey(end, .project)
                        || line.isKey(end, .list) && line.key(i - 1) == .the
                else { continue }
                project = known.name
                keep(i..<end, "project")
                return
            }
        }
    }
}

extension Line {
    /// Where a name's words end if they stand at `i`.
    func match(_ words: [String], at i: Int) -> Int? {
        guard !words.isEmpty else { return nil }
        var next = i
        for (k, word) in words.enumerated() {
            if k > 0, sign(next, "-") || sign(next, "_") || sign(next, "&") { next += 1 }
            guard self[next].lower == word || self[next].kind == .number && String(self[next].value) == word
            else { return nil }
            next += 1
        }
        return next
    }
}
