/// Splits one line into tokens; offsets are UTF-16 units of the whole text. Linear in the line.
struct Lexer {
    private let units: [UInt16]
    private let last: Int
    private var at: Int
    private var isSpaced = true
    private var tokens: [Token] = []
    /// A closing sign that was searched and is not there; not searched again, or hostile text would cost squares.
    private var missing: Set<UInt16> = []
    private var knownChunkEnd = 0

    init(_ units: [UInt16], _ range: Range<Int>) {
        self.units = units
        at = range.lowerBound
        last = range.upperBound
    }

    mutating func run() -> [Token] {
        while at < last {
            if units[at].isBlank {
                isSpaced = true
                at += 1
                continue
            }
            if isSpaced || tokens.last?.isOpening == true, let token = opaque() {
                append(token)
            } else {
                append(plain())
            }
        }
        return tokens
    }

    private mutating func append(_ token: Token) {
        tokens.append(token)
        at = token.end
        isSpaced = false
    }

    private func token(_ kind: Token.Kind, to end: Int) -> Token {
        Token(kind: kind, start: at, end: end, isSpaced: isSpaced)
    }

    // MARK: Words, numbers, signs

    private func plain() -> Token {
        let unit = units[at]
        if unit.isDigit { return number() }
        if unit < 0x80 { return unit.isASCIILetter ? word() : sign() }
        return isLetter(at) ? word() : symbol()
    }

    private func number() -> Token {
        var end = at
        var value = 0
        while end < last, units[end].isDigit {
            value = end - at < 9 ? value * 10 + Int(units[end] - 48) : -1
            end += 1
        }
        var token = token(.number, to: end)
        token.value = value
        return token
    }

    private func sign() -> Token {
        var token = token(.sign, to: at + 1)
        token.value = Int(units[at])
        return token
    }

    private func symbol() -> Token {
        // Dashes and typographic quotes read as signs.
        if units[at] == 0x2013 || units[at] == 0x2014 || units[at] == 0x201C || units[at] == 0x201D {
            return sign()
        }
        let isPair = UTF16.isLeadSurrogate(units[at]) && at + 1 < last
        return token(.symbol, to: at + (isPair ? 2 : 1))
    }

    private func word() -> Token {
        var end = at
        while end < last {
            if isLetter(end) {
                end += UTF16.isLeadSurrogate(units[end]) && end + 1 < last ? 2 : 1
            } else if units[end] == 0x27 || units[end] == 0x2019, end > at, end + 1 < last, isLetter(end + 1)
            {
                end += 1
            } else {
                break
            }
        }
        var token = token(.word, to: end)
        let text = String(decoding: units[at..<end], as: UTF16.self)
        token.lower = text.lowercased()
        token.isCapital = text.first?.isUppercase ?? false
        if let lexeme = Vocabulary.words[token.lower] { token.lexeme = lexeme }
        return token
    }

    private func isLetter(_ at: Int) -> Bool {
        let unit = units[at]
        if unit < 0x80 { return unit.isASCIILetter }
        guard unit != 0x2019, let scalar = scalar(at) else { return false }
        return scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
    }

    private func scalar(_ at: Int) -> Unicode.Scalar? {
        let unit = units[at]
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
        guard at + 1 < last, UTF16.isTrailSurrogate(units[at + 1]) else { return nil }
        return Unicode.Scalar(0x10000 + (UInt32(unit & 0x3FF) << 10) + UInt32(units[at + 1] & 0x3FF))
    }

    // MARK: What is never read

    private mutating func opaque() -> Token? {
        switch units[at] {
        case 0x22: if let end = closing(0x22) { return token(.opaque, to: end) }
        case 0x201C: if let end = closing(0x201D) { return token(.opaque, to: end) }
        case 0x60: if let end = closing(0x60) { return token(.opaque, to: end) }
        case 0x5C:
            // An escaped word; the backslash goes.
            let end = chunkEnd()
            guard isSpaced, end > at + 1 else { return nil }
            var token = token(.opaque, to: end)
            token.start += 1
            return token
        default: break
        }
        return link().map { token(.opaque, to: $0) }
    }

    private mutating func closing(_ unit: UInt16) -> Int? {
        if missing.contains(unit) { return nil }
        var end = at + 1
        while end < last, units[end] != unit { end += 1 }
        if end == last {
            missing.insert(unit)
            return nil
        }
        return end > at + 1 ? end + 1 : nil
    }

    /// The end of a link, an e-mail address or an absolute path that begins here.
    private mutating func link() -> Int? {
        var end = chunkEnd()
        let isPath = units[at] == 0x2F && end > at + 1 && isLetter(at + 1)
        guard isPath || hasScheme(to: end) || isAddress(to: end) else { return nil }
        while end > at + 1, units[end - 1].isTrailing { end -= 1 }
        return end
    }

    /// The next blank; found once for each run of characters, so that a run of brackets costs no squares.
    private mutating func chunkEnd() -> Int {
        if at < knownChunkEnd { return knownChunkEnd }
        var end = at
        while end < last, !units[end].isBlank { end += 1 }
        knownChunkEnd = end
        return end
    }

    /// `letters://` or `www.` at the beginning.
    private func hasScheme(to end: Int) -> Bool {
        var i = at
        while i < end, units[i].isASCIILetter { i += 1 }
        if i > at, i + 2 < end, units[i] == 0x3A, units[i + 1] == 0x2F, units[i + 2] == 0x2F { return true }
        return i == at + 3 && i + 1 < end && units[i] == 0x2E
            && units[at..<i].allSatisfy { $0 | 0x20 == 0x77 }
    }

    /// One `@` with something before (64 units at most, RFC 5321, 4.5.3.1) and a dot somewhere behind it.
    private func isAddress(to end: Int) -> Bool {
        guard units[at].isASCIILetter || units[at].isDigit else { return false }
        let local = units[at..<min(end, at + 65)]
        guard let sign = local.firstIndex(of: 0x40), sign + 1 < end else { return false }
        let domain = units[(sign + 1)..<min(end, sign + 256)]
        guard let dot = domain.firstIndex(of: 0x2E), dot > sign + 1 else { return false }
        return dot + 1 < end && (units[dot + 1].isASCIILetter || units[dot + 1].isDigit)
    }
}

extension Token {
    /// A sign behind which a quotation may begin.
    var isOpening: Bool {
        isSign("(") || isSign("[") || isSign("{") || isSign("<") || isSign(":") || isSign(",")
            || kind == .symbol
    }
}

extension UInt16 {
    var isDigit: Bool { self >= 48 && self <= 57 }
    var isASCIILetter: Bool { (self | 0x20) >= 97 && (self | 0x20) <= 122 && self < 0x80 }

    /// White space, and control characters, which no title may have (1.3).
    var isBlank: Bool {
        isControl || self == 0x20 || self == 0xA0 || self == 0x3000 || (self >= 0x2000 && self <= 0x200A)
            || self == 0x2028 || self == 0x2029
    }

    var isControl: Bool { self < 0x20 || (self >= 0x7F && self < 0xA0) }

    /// Punctuation that is not a link's last character.
    var isTrailing: Bool {
        switch self {
        case 0x2E, 0x2C, 0x3B, 0x3A, 0x21, 0x3F, 0x29, 0x5D, 0x7D, 0x22, 0x27, 0x3E, 0x201D: true
        default: false
        }
    }
}
