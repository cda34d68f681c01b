// The types and ranges of api 2.11. Checks are exact: a number is no text, 0 is no flag.

import Time

/// What a value of a preference may be.
enum PreferenceKind: Sendable {
    case flag
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// One of a few words; an alias is stored as the word that it stands for.
    case word([String], aliases: [String: String] = [:])
    /// X-3.
    case time
    /// An option of S-3 that names no period, or the word beside them.
    case snoozeOption(also: String?)
    /// Trimmed; a blank one is none.
    case freeText(most: Int)
    /// An IANA name (X-2).
    case zone
    /// The id of one of the user's own periods.
    case period
    /// The name of an installed enricher.
    case enricher
    case labelColors
    case priorityDisplay
    /// Null is a value too.
    indirect case optional(PreferenceKind)

    /// The value to store; nil when the one sent is not of this kind.
    func accepts(_ sent: PreferenceValue, _ context: PreferenceContext) -> PreferenceValue? {
        switch (self, sent) {
        case (.optional, .null), (.freeText, .null): .null
        case (.optional(let kind), _): kind.accepts(sent, context)
        case (.flag, .flag): sent
        case (.integer(let range), .integer(let value)): range.contains(value) ? sent : nil
        case (.integer(let range), .number(let value)):
            // 60.0 is the whole number 60 in JSON.
            Int(exactly: value).flatMap { range.contains($0) ? .integer($0) : nil }
        case (.number(let range), .integer(let value)):
            range.contains(Double(value)) ? .number(Double(value)) : nil
        case (.number(let range), .number(let value)): range.contains(value) ? sent : nil
        case (.word(let words, let aliases), .text(let text)):
            words.contains(text) ? sent : aliases[text].map(PreferenceValue.text)
        case (.time, .text(let text)): LocalTime(text) == nil ? nil : sent
        case (.snoozeOption(let also), .text(let text)): text == also || isPlainOption(text) ? sent : nil
        case (.freeText(let most), .text(let text)): freeText(text, most: most)
        case (.zone, .text(let text)): Zone(text) == nil ? nil : sent
        case (.period, .integer(let id)):
            context.periods.contains(Period.ID(rawValue: Int64(id))) ? sent : nil
        case (.enricher, .text(let name)): context.enrichers.contains(name) ? sent : nil
        case (.labelColors, .list(let entries)): LabelColors.checked(entries)
        case (.priorityDisplay, .object): PriorityDisplay.checked(sent)
        default: nil
        }
    }

    /// What is accepted, behind "must be".
    var words: String {
        switch self {
        case .flag: "true or false"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .word(let words, _): "one of \(words.joined(separator: ", "))"
        case .time: "a time of day like 09:00"
        case .snoozeOption(let also):
            "tomorrow, next_period\(also.map { ", \($0)" } ?? "") or minutes from \"1\" to \"1440\""
        case .freeText(let most): "a text of at most \(most) characters, or null"
        case .zone: "the name of a time zone like America/Chicago"
        case .period: "the id of one of your reminder periods"
        case .enricher: "builtin or the name of an installed enricher"
        case .labelColors:
            "at most 50 of {name, color}: names of 1 to 100 characters, each once; colours "
                + labelColorNames.joined(separator: ", ")
        case .priorityDisplay:
            "an object with trailingDot, colorTitle and rightBorder (true or false), and perhaps badgeStyle "
                + "(words or icons) and colorCheckbox (true or false)"
        case .optional(let kind): "\(kind.words), or null"
        }
    }

    private func freeText(_ text: String, most: Int) -> PreferenceValue? {
        let text = trimmed(text)
        guard text.unicodeScalars.count <= most else { return nil }
        return text.isEmpty ? .null : .text(text)
    }

    /// An option whose minutes, if it is some, are written in one way only.
    private func isPlainOption(_ text: String) -> Bool {
        isValidSnoozeOption(text) && !text.hasPrefix("0")
    }
}

/// The colours of api 2.4.
public let labelColorNames = ["red", "orange", "yellow", "green", "blue", "purple", "pink", "gray"]

/// `label_config`: which colour a label is shown in.
enum LabelColors {
    static func checked(_ entries: [PreferenceValue]) -> PreferenceValue? {
        guard entries.count <= 50 else { return nil }
        var seen: Set<String> = []
        var kept: [PreferenceValue] = []
        for entry in entries {
            guard let name = entry["name"]?.text.map(trimmed), let color = entry["color"]?.text,
                (1...100).contains(name.unicodeScalars.count), labelColorNames.contains(color),
                !name.unicodeScalars.contains(where: isInvisibleControl),
                seen.insert(name.lowercased()).inserted
            else { return nil }
            kept.append(.object(["name": .text(name), "color": .text(color)]))
        }
        return .list(kept)
    }
}

/// `priority_display`: how a priority shows in rows.
enum PriorityDisplay {
    static let standard = PreferenceValue.object([
        "trailingDot": .flag(true), "badgeStyle": .text("words"), "colorTitle": .flag(false),
        "rightBorder": .flag(false), "colorCheckbox": .flag(true),
    ])

    static func checked(_ sent: PreferenceValue) -> PreferenceValue? {
        guard let dot = sent["trailingDot"]?.flag, let title = sent["colorTitle"]?.flag,
            let border = sent["rightBorder"]?.flag
        else { return nil }
        let badge = sent["badgeStyle"] ?? .text("words")
        let checkbox = sent["colorCheckbox"] ?? .flag(true)
        guard badge == .text("words") || badge == .text("icons"), checkbox.flag != nil else { return nil }
        return .object([
            "trailingDot": .flag(dot), "badgeStyle": badge, "colorTitle": .flag(title),
            "rightBorder": .flag(border), "colorCheckbox": checkbox,
        ])
    }
}
