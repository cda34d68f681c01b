public import Interfaces
internal import Time

/// The built-in enricher (docs/spec/enrich.md, section 3): deterministic, offline, English. The same answer for the
/// same text and context; time is linear in the text.
public struct BuiltinEnricher: Sendable {
    /// A text that cannot be read at all.
    public enum Refusal: Error, Hashable {
        case textEmpty
        case textTooLong(maxBytes: Int)
        case unsupportedKind(String)
    }

    public static let version = "1.0"
    /// Of UTF-8 (1.2).
    public static let maxTextBytes = 10_000

    public init() {}

    /// What it says of itself on the wire.
    public static func capabilities(maxParallel: Int) -> EnricherInterface.GetCapabilities.Reply {
        EnricherInterface.GetCapabilities.Reply(
            name: "builtin", version: version, kinds: ["task", "reminder", "quota", "auto"],
            fields: [
                "title", "target", "deadline", "priority", "rrule", "recurrence_mode", "labels", "project",
                "notes",
                "kind", "quota", "auto_snooze_minutes", "estimate_minutes", "spans",
            ],
            languages: ["en"], maxTextBytes: maxTextBytes, maxParallel: maxParallel, typicalMs: 1,
            deterministic: true, usesNetwork: false, wantsUserContext: false)
    }

    /// Reads a text.
    ///
    /// - Parameter kind: `task`, `reminder`, `quota` or `auto`.
    public func read(
        _ text: String, kind: String, context: EnricherInterface.Context
    ) throws(Refusal) -> EnricherInterface.Result {
        guard ["task", "reminder", "quota", "auto"].contains(kind) else { throw .unsupportedKind(kind) }
        guard text.utf8.count <= BuiltinEnricher.maxTextBytes else {
            throw .textTooLong(maxBytes: BuiltinEnricher.maxTextBytes)
        }
        let units = Array(text.utf16)
        guard let first = units.firstIndex(where: { !$0.isBlank }) else { throw .textEmpty }
        let lineEnd = units[first...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) ?? units.count
        let here = Circumstances(context)
        var lexer = Lexer(units, first..<lineEnd)
        var tokens = lexer.run()
        let rest = BuiltinEnricher.rest(units, lineEnd)
        let stop = BuiltinEnricher.setAsideStop(&tokens)
        if tokens.count == 1, tokens[0].kind == .opaque, let inner = BuiltinEnricher.quoted(tokens[0], units)
        {
            return EnricherInterface.Result(
                title: inner, notes: rest, kind: kind == "auto" ? "task" : kind, spans: [])
        }
        var reading = Reading(units, tokens: tokens, kind: kind, here: here)
        reading.run()
        let title = Title(reading.line, original: tokens, units: units, wasCut: !reading.cuts.isEmpty)
        return Answer(reading, title: title, stop: stop, rest: rest, whole: text).result
    }

    /// One final full stop comes back only if nothing is cut (3.2).
    private static func setAsideStop(_ tokens: inout [Token]) -> Bool {
        guard tokens.count > 1, let last = tokens.last, last.isSign("."),
            !tokens[tokens.count - 2].isSign(".")
        else {
            return false
        }
        // The stop of "a.m." and of initials stays.
        if tokens.count > 2, tokens[tokens.count - 3].isSign("."), !last.isSpaced { return false }
        tokens.removeLast()
        return true
    }

    /// The text inside quotes when the token is one quotation.
    private static func quoted(_ token: Token, _ units: [UInt16]) -> String? {
        guard token.length > 2, units[token.start] == 0x22 || units[token.start] == 0x201C else { return nil }
        let inside = units[token.start + 1..<token.end - 1].map { $0.isControl ? 0x20 : $0 }
        let inner = String(decoding: inside, as: UTF16.self)
        return inner.count <= 500 && inner.contains { !$0.isWhitespace } ? inner : nil
    }

    /// Further lines, untouched but for blanks at their ends: notes.
    private static func rest(_ units: [UInt16], _ lineEnd: Int) -> String? {
        var lines: [Substring] = []
        let text = String(decoding: units[lineEnd...], as: UTF16.self)
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0.isNewline }) {
            lines.append(line)
        }
        let joined = lines.map(String.init).joined(separator: "\n")
        guard let first = joined.firstIndex(where: { !$0.isWhitespace }),
            let last = joined.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(joined[first...last])
    }
}

extension Reading {
    /// The families in the order of 3.2.
    mutating func run() {
        readMarks()
        readSnooze()
        readRule()
        readDeadline()
        readMoment()
        readPriority()
        readNames()
    }
}
