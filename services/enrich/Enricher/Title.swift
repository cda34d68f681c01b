/// The title: what is left of the line, tidied (3.6).
struct Title {
    var text: String
    var spans: [Range<Int>] = []

    /// - Parameters:
    ///   - line: what the families have left.
    ///   - original: all tokens of the line; the final full stop set aside.
    ///   - cutAtEnd: something behind the last token was cut.
    init(_ line: Line, original: [Token], units: [UInt16], wasCut: Bool) {
        var left = Array(line.tokens)
        let endsInCut = (left.last?.end ?? 0) < (original.last?.end ?? 0)
        var isCut = wasCut
        var startsInCut = left.first?.isAfterCut ?? false
        if let count = Title.scaffold(left, line.here) {
            spans += left[..<count].map { $0.start..<$0.end }
            left.removeFirst(count)
            isCut = true
            startsInCut = true
        }
        if let count = Title.filler(left) {
            spans += left.suffix(count).map { $0.start..<$0.end }
            left.removeLast(count)
            isCut = true
            Title.dropEnd(&left)
        } else if endsInCut {
            Title.dropEnd(&left)
        }
        if startsInCut { Title.dropStart(&left) }
        Title.dropDoubled(&left)
        if left.allSatisfy({ $0.kind == .sign && !$0.isSign("#") }) || left.isEmpty {
            // Nothing but fields: the words stand.
            left = original
            isCut = false
        }
        text = Title.raised(Title.join(left, units, plain: !isCut), left)
    }

    // MARK: Words around

    /// How many tokens at the start only lead in: um, please, I need to, remind me to, don't forget to, todo:.
    private static func scaffold(_ tokens: [Token], _ here: Circumstances) -> Int? {
        let line = Line(tokens: tokens, here: here)
        var i = 0
        while i < tokens.count {
            guard let next = leadIn(line, i) else { break }
            i = next
            while line.sign(i, ",") { i += 1 }
        }
        return i > 0 && i < tokens.count ? i : nil
    }

    private static func leadIn(_ line: Line, _ i: Int) -> Int? {
        switch line.key(i) {
        case .um, .uh, .ok, .okay, .please: return line.ends(i + 1) || line.sign(i + 1, ",") ? i + 1 : nil
        case .so, .like:
            return i + 1 < line.count
                && (line.key(i) == .so ? line.sign(i + 1, ",") || isLead(line, i + 1) : i > 0) ? i + 1 : nil
        case .todo: return line.sign(i + 1, ":") ? i + 2 : nil
        case .i: return wish(line, i)
        case .remind: return line.isKey(i + 1, .me) ? remind(line, i + 2) : nil
        case .remember: return line.key(i + 1) == .to ? i + 2 : nil
        case .dont: return line.key(i + 1) == .forget && line.key(i + 2) == .to ? i + 3 : nil
        case .to: return i == 0 && line[i].isAfterCut && line[i + 1].kind == .word ? i + 1 : nil
        default: return nil
        }
    }

    private static func isLead(_ line: Line, _ i: Int) -> Bool {
        line.isKey(i, .i, .um, .uh, .please, .remind, .dont)
    }

    /// I need | have | want to; I should (probably); I want to remember to.
    private static func wish(_ line: Line, _ i: Int) -> Int? {
        var next = i + 1
        if line.key(next) == .just { next += 1 }
        switch line.key(next) {
        case .need, .have, .want:
            guard line.key(next + 1) == .to else { return nil }
            next += 2
        case .should: next += line.key(next + 1) == .probably ? 2 : 1
        default: return nil
        }
        if line.key(next) == .remember, line.key(next + 1) == .to { next += 2 }
        return next
    }

    /// remind me [...] to, remind me about.
    private static func remind(_ line: Line, _ i: Int) -> Int? {
        line.key(i) == .to || line.key(i) == .about ? i + 1 : nil
    }

    /// How many tokens at the end say nothing: or whatever, please, thanks, thank you.
    private static func filler(_ tokens: [Token]) -> Int? {
        var count = tokens.count
        while count > 1 {
            let last = tokens[count - 1]
            let before = tokens[count - 2]
            if last.key == .whatever, before.key == .or {
                count -= 2
            } else if last.key == .you, before.key == .thank {
                count -= 2
            } else if last.key == .please || last.key == .thanks {
                count -= 1
            } else {
                break
            }
        }
        return count < tokens.count && count > 0 ? tokens.count - count : nil
    }

    // MARK: Signs at the cuts

    private static func dropStart(_ tokens: inout [Token]) {
        while let first = tokens.first,
            isJoint(first) || first.isSign(".") && first.isAfterCut || first.isSign(")") && first.isAfterCut
        {
            tokens.removeFirst()
        }
        if let first = tokens.first, first.key == .and || first.key == .but || first.key == .then,
            tokens.count > 1,
            first.isAfterCut
        {
            tokens.removeFirst()
        }
    }

    private static func dropEnd(_ tokens: inout [Token]) {
        while let last = tokens.last {
            let isDangling =
                switch last.key {
                case .and, .or, .but, .on, .at, .by, .then, .the: tokens.count > 1
                default: false
                }
            guard isDangling || isJoint(last) || last.isSign("(") || last.isSign("[") else { return }
            tokens.removeLast()
        }
    }

    private static func isJoint(_ token: Token) -> Bool {
        token.kind == .sign && ",;:-–—&/".unicodeScalars.contains { token.isSign($0) }
    }

    /// `a, , b` and `a ( ) b` where something between has gone.
    private static func dropDoubled(_ tokens: inout [Token]) {
        var kept: [Token] = []
        kept.reserveCapacity(tokens.count)
        for token in tokens {
            if token.isAfterCut, let last = kept.last {
                if isJoint(token), isJoint(last), !token.isSign("-") { continue }
                if token.isSign(")"), last.isSign("(") {
                    kept.removeLast()
                    continue
                }
            }
            kept.append(token)
        }
        tokens = kept
    }

    // MARK: Text

    /// The tokens with one blank where there was one or more.
    static func join(_ tokens: [Token], _ units: [UInt16], plain: Bool) -> String {
        var out: [UInt16] = []
        out.reserveCapacity(units.count)
        for (i, token) in tokens.enumerated() {
            let wantsBlank = token.isSpaced || token.isAfterCut && token.kind != .sign
            if i > 0, wantsBlank, !(token.isAfterCut && isClosing(token)) { out.append(0x20) }
            out.append(contentsOf: units[token.start..<token.end].lazy.map { $0.isControl ? 0x20 : $0 })
        }
        return String(decoding: out, as: UTF16.self)
    }

    private static func isClosing(_ token: Token) -> Bool {
        token.kind == .sign && ",;:.!?)]}".unicodeScalars.contains { token.isSign($0) }
    }

    /// The first letter raised when the first word is all lower case letters and has a vowel (`ssh` stays).
    static func raised(_ text: String, _ tokens: [Token]) -> String {
        guard let first = tokens.first, first.kind == .word, !first.isCapital else { return text }
        let word = text.prefix { $0.isLetter || $0 == "'" || $0 == "’" }
        guard word.allSatisfy({ !$0.isUppercase }),
            word.contains(where: { "aeiouy".contains($0) || !$0.isASCII && $0.isLetter })
        else {
            return text
        }
        if let next = text[word.endIndex...].first, !next.isWhitespace, !",:;!?.-–—)\"".contains(next) {
            return text
        }
        if text[word.endIndex...].first == ".", let after = text[word.endIndex...].dropFirst().first,
            !after.isWhitespace
        {
            return text
        }
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
