/// The tokens of a line, and what every family of expressions asks of them. Immutable: a match is a value.
struct Line {
    let tokens: [Token]
    let here: Circumstances

    var count: Int { tokens.count }

    subscript(_ i: Int) -> Token { tokens.indices.contains(i) ? tokens[i] : .end }

    func key(_ i: Int) -> Key { self[i].key }

    func sign(_ i: Int, _ character: Unicode.Scalar) -> Bool { self[i].isSign(character) }

    /// Joined to the token before, without a blank and without a cut between.
    func isGlued(_ i: Int) -> Bool { i > 0 && i < count && !tokens[i].isSpaced && !tokens[i].isAfterCut }

    // MARK: Borders

    /// An expression may begin here.
    func starts(_ i: Int) -> Bool {
        guard isGlued(i) else { return i < count }
        let before = tokens[i - 1]
        return before.kind == .symbol || before.isOpening || before.isSign(";") || before.isSign("—")
            || before.isSign("@") || before.isSign("\"") || before.isSign("“")
    }

    /// An expression may end before `i`.
    func ends(_ i: Int) -> Bool {
        guard isGlued(i) else { return true }
        let next = tokens[i]
        if next.isSign(".") { return !isGlued(i + 1) || self[i + 1].isSign(".") }
        if next.kind == .symbol { return true }
        return next.kind == .sign && ",;:!?)]}\"”—".unicodeScalars.contains { next.isSign($0) }
    }

    /// A clause begins at `i`.
    func isClauseStart(_ i: Int) -> Bool {
        if i <= 0 || self[i].isAfterCut { return true }
        return isBreak(i - 1)
    }

    /// A clause ends before `i`.
    func isClauseEnd(_ i: Int) -> Bool {
        if i >= count || self[i].isAfterCut || isBreak(i) { return true }
        switch key(i) {
        case .but, .then, .because, .so: return true
        case .and, .to: return self[i + 1].lexeme.isVerb
        default: return self[i].kind == .symbol && i + 1 >= count
        }
    }

    /// A sign between clauses; a hyphen only with blanks around it.
    func isBreak(_ i: Int) -> Bool {
        let token = self[i]
        guard token.kind == .sign else { return false }
        if token.isSign("-") || token.isSign("–") || token.isSign("—") {
            return token.isSpaced && !isGlued(i + 1)
        }
        if token.isSign(".") || token.isSign(":") { return !isGlued(i + 1) }
        return ",;!?()[]{}".unicodeScalars.contains { token.isSign($0) }
    }

    // MARK: Numbers

    /// N (3.3): 1 to 999 in digits, or in words.
    func amount(_ i: Int) -> (value: Int, end: Int)? {
        let token = self[i]
        switch token.kind {
        case .number:
            guard (1...999).contains(token.value), !isDecimal(i) else { return nil }
            return (token.value, i + 1)
        case .word: break
        default: return nil
        }
        switch token.key {
        case .number: return (token.lexeme.value, i + 1)
        case .tens: return tens(i)
        case .a, .an:
            if key(i + 1) == .couple { return (2, key(i + 2) == .of ? i + 3 : i + 2) }
            if key(i + 1) == .few { return (3, i + 2) }
            return (1, i + 1)
        case .couple: return (2, key(i + 1) == .of ? i + 2 : i + 1)
        default: return nil
        }
    }

    /// `twenty`, `twenty five`, `twenty-five`.
    private func tens(_ i: Int) -> (value: Int, end: Int) {
        let value = self[i].lexeme.value
        let next = sign(i + 1, "-") ? i + 2 : i + 1
        if key(next) == .number, self[next].lexeme.value < 10 {
            return (value + self[next].lexeme.value, next + 1)
        }
        return (value, i + 1)
    }

    /// Part of a number with a dot or a comma inside, or of a version.
    func isDecimal(_ i: Int) -> Bool {
        let isPointBehind =
            (sign(i + 1, ".") || sign(i + 1, ",")) && isGlued(i + 1) && isGlued(i + 2)
            && self[i + 2].kind == .number
        let isPointBefore =
            i > 1 && isGlued(i) && (sign(i - 1, ".") || sign(i - 1, ",")) && isGlued(i - 1)
            && self[i - 2].kind == .number
        return isPointBehind || isPointBefore
    }

    /// ORD (3.3): `1st` … `31st`, `first` … `thirty first`; -1 is `last`.
    func ordinal(_ i: Int) -> (value: Int, end: Int)? {
        let token = self[i]
        if token.kind == .number, (1...31).contains(token.value), isGlued(i + 1) {
            switch self[i + 1].lower {
            case "st", "nd", "rd", "th": return (token.value, i + 2)
            default: return nil
            }
        }
        switch token.key {
        case .ordinal: return (token.lexeme.value, i + 1)
        case .last: return (-1, i + 1)
        case .tens:
            let next = sign(i + 1, "-") ? i + 2 : i + 1
            guard key(next) == .ordinal, self[next].lexeme.value < 10 else { return nil }
            let value = token.lexeme.value + self[next].lexeme.value
            return value <= 31 ? (value, next + 1) : nil
        default: return nil
        }
    }

    /// A unit; a letter alone only behind a number that it is glued to.
    func unit(_ i: Int) -> Unit? {
        let token = self[i]
        guard token.key == .unit, !token.lexeme.isShort || isGlued(i) || token.lower == "mo" else {
            return nil
        }
        return Unit(rawValue: token.lexeme.value)
    }

    func weekday(_ i: Int) -> Int? { key(i) == .weekday ? self[i].lexeme.value : nil }

    func month(_ i: Int) -> Int? { key(i) == .month ? self[i].lexeme.value : nil }

    func isKey(_ i: Int, _ keys: Key...) -> Bool { keys.contains(key(i)) }
}
