import CSQLite

/// Text made ready for FTS5's tokenizer `unicode61`, which does the rest: case, and diacritics of Latin
/// letters. What it lacks is done here, to what is indexed and to what is looked for alike:
///
/// * scripts without spaces between words: each of their characters is a word, and what follows each other in a
///   question must follow each other in the text;
/// * symbols, emoji among them, and letters younger than its tables (Unicode 6.1): a word each, written as a number;
/// * letters that people without them write as others (`ß`, `ø`, `ό`, `ё`), and combining marks behind a plain letter.
///
/// What is neither goes: the result holds words and spaces only, no quotes, operators or NUL, so that inside quotes it
/// is never read as FTS5's query language.
public struct SearchText: Hashable, Sendable {
    /// The option `tokenize=` of a table of such texts.
    public static let tokenizer = "unicode61 remove_diacritics 2 categories 'L* M* N* Co'"

    public private(set) var text = ""
    /// False for nothing but white space and punctuation.
    public private(set) var hasWords = false

    public init(_ original: String) {
        text.reserveCapacity(original.utf8.count)
        for scalar in original.unicodeScalars { add(scalar) }
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            let isWord = scalar.properties.isAlphabetic || (48...57).contains(scalar.value)
            append(isWord ? scalar : " ", isWord: isWord)
        } else if let spelled = Self.spelled[scalar] {
            text += spelled
            hasWords = true
        } else if (0x300...0x36F).contains(scalar.value) {
            return
        } else {
            switch Self.kind(of: scalar) {
            case .part: append(scalar, isWord: true)
            case .word:
                text.append(" ")
                append(scalar, isWord: true)
                text.append(" ")
            case .number:
                text += " \u{E000}\(String(scalar.value, radix: 16)) "
                hasWords = true
            case .gap: append(" ", isWord: false)
            }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar, isWord: Bool) {
        text.unicodeScalars.append(scalar)
        if isWord { hasWords = true }
    }

    private enum Kind { case part, word, number, gap }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .spacingMark, .enclosingMark, .nonspacingMark:
            guard let age = properties.age, (age.major, age.minor) <= (6, 1) else { return .number }
            // Variation selectors say how the character before them looks.
            if (0xFE00...0xFE0F).contains(scalar.value) || scalar.value >= 0xE0100 { return .gap }
            return isUnspaced(scalar.value) ? .word : .part
        case .otherSymbol, .mathSymbol, .currencySymbol, .modifierSymbol: return .number
        case .privateUse: return .number
        default: return .gap
        }
    }

    /// Han, kana, Bopomofo, Thai, Lao, Tibetan, Myanmar, Khmer: words are not set apart.
    private static func isUnspaced(_ value: UInt32) -> Bool {
        switch value {
        case 0x0E00...0x0FFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005...0x3007,
            0x3021...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA9E0...0xA9FE, 0xAA60...0xAA7F, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x1B000...0x1B16F,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }

    private static let spelled: [Unicode.Scalar: String] = [
        "ά": "α", "έ": "ε", "ή": "η", "ί": "ι", "ϊ": "ι", "ΐ": "ι", "ό": "ο", "ύ": "υ", "ϋ": "υ", "ΰ": "υ",
        "ώ": "ω",
        "Ά": "α", "Έ": "ε", "Ή": "η", "Ί": "ι", "Ϊ": "ι", "Ό": "ο", "Ύ": "υ", "Ϋ": "υ", "Ώ": "ω", "ё": "е",
        "Ё": "е",
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "ł": "l",
        "Ł": "l",
        "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "þ": "th", "Þ": "th", "ı": "i", "İ": "i", "ħ": "h", "Ħ": "h",
    ]
}

extension Database {
    /// Adds the SQL function `search_text(text)`: as `SearchText`. NULL becomes empty. For queries only, as `fold`.
    func addSearchText() throws(SQLiteError) {
        try addTextFunction("search_text") { SearchText($0 ?? "").text }
    }
}
