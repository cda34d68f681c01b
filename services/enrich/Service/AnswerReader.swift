internal import FoundationEssentials
public import Interfaces
public import JSON
internal import Time

/// Reads an enricher's answer field by field (docs/spec/enrich.md, 1.3): a bad title rejects it, any other bad field
/// counts as not said. Unknown fields are ignored. What comes out is well formed and not yet guarded (1.4).
public struct AnswerReader {
    private let answer: JSONValue
    private let asked: EnricherInterface.Enrich.Parameters

    /// Of a result's JSON text.
    public static let maxBytes = 64 << 10

    /// - Parameters:
    ///   - answer: the `result` of the reply, as it came.
    ///   - asked: what the enricher was asked.
    public init(_ answer: JSONValue, asked: EnricherInterface.Enrich.Parameters) {
        self.answer = answer
        self.asked = asked
    }

    /// - Throws: `Failure.badAnswer` for what is no object, has no usable title, or is over 64 KiB.
    public func read() throws(Failure) -> EnricherInterface.Result {
        guard answer.object != nil, let title = title() else { throw .badAnswer }
        var result = EnricherInterface.Result(title: title)
        result.kind = kind()
        result.target = moment("target")
        result.deadline = moment("deadline")
        result.priority = integer("priority", in: 0...4) ?? 0
        result.labels = labels()
        result.project = project()
        result.notes = text("notes", maxBytes: 20_000)
        result.quota = quota()
        result.autoSnoozeMinutes = integer("auto_snooze_minutes", in: 0...1440)
        result.estimateMinutes = integer("estimate_minutes", in: 1...1440)
        result.spans = spans()
        result.reasoning = text("reasoning", maxBytes: 2_000)
        result.rrule = rule(result)
        if result.rrule != nil, let mode = answer["recurrence_mode"]?.string,
            ["from_due", "from_completion"].contains(mode)
        {
            result.recurrenceMode = mode
        }
        return result
    }

    // MARK: Fields

    /// 1 to 500 characters after trimming, no control characters.
    private func title() -> String? {
        guard let raw = answer["title"]?.string else { return nil }
        let title = raw.trimmed
        guard (1...500).contains(title.count),
            !title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        return title
    }

    /// May differ from what was asked only if that was `auto`.
    private func kind() -> String {
        guard asked.kind == "auto" else { return asked.kind }
        let kind = answer["kind"]?.string ?? ""
        return ["task", "reminder", "quota"].contains(kind) ? kind : "task"
    }

    /// A trailing `Z` or offset is cut and the rest read as local; a date with a `T` carries its time.
    private func moment(_ name: String) -> EnricherInterface.Moment? {
        guard let value = answer[name], let raw = value["date"]?.string else { return nil }
        let words = raw.split(maxSplits: 1, whereSeparator: { $0 == "T" || $0 == " " })
        guard let first = words.first, let date = LocalDate(first), (1900...2200).contains(date.year) else {
            return nil
        }
        let clock = value["time"]?.string ?? (words.count > 1 ? String(words[1]) : nil)
        guard let clock else { return EnricherInterface.Moment(date: date.description) }
        // HH:MM, with seconds, fraction, Z or offset behind it.
        guard let time = LocalTime(clock.prefix(5)), AnswerReader.isTimeTail(clock.dropFirst(5)) else {
            return nil
        }
        return EnricherInterface.Moment(date: date.description, time: time.description)
    }

    private static func isTimeTail(_ tail: Substring) -> Bool {
        tail.isEmpty
            || tail.count <= 20 && tail.allSatisfy { $0.isASCII && ($0.isNumber || ":.,Z+- z".contains($0)) }
    }

    private func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let number = answer[name]?.double, let value = Int(exactly: number), range.contains(value)
        else { return nil }
        return value
    }

    private func labels() -> [String] {
        var labels: [String] = []
        for value in (answer["labels"]?.array ?? []).prefix(100) {
            guard let label = value.string?.trimmed, (1...50).contains(label.count) else { continue }
            guard !label.lowercased().hasPrefix("ai-"), labels.count < 10,
                !labels.contains(where: { $0.lowercased() == label.lowercased() })
            else { continue }
            labels.append(label)
        }
        return labels
    }

    /// A name of the request, as it is written there. The Inbox is never an answer.
    private func project() -> String? {
        guard let name = answer["project"]?.string?.trimmed.lowercased(), name != "inbox" else { return nil }
        return asked.context.projects.first { $0.name.lowercased() == name }?.name
    }

    private func quota() -> EnricherInterface.Quota? {
        guard let value = answer["quota"], let number = value["target"]?.double,
            let target = Int(exactly: number),
            (1...999).contains(target), let period = value["period"]?.string
        else { return nil }
        return EnricherInterface.Quota.Period(rawValue: period).map { .init(target: target, period: $0) }
    }

    private func rule(_ result: EnricherInterface.Result) -> String? {
        guard let text = answer["rrule"]?.string, text.utf8.count <= 500 else { return nil }
        let anchor = RuleText.Anchor(
            date: result.target.flatMap { LocalDate($0.date) }, weekStart: asked.context.weekStartNumber)
        let isReminder = result.kind == "reminder"
        guard let rule = RuleText(text, isReminder: isReminder, anchor: anchor) else { return nil }
        return rule.canonical(at: rule.time)
    }

    private func spans() -> [EnricherInterface.Span]? {
        guard let values = answer["spans"]?.array else { return nil }
        let length = Int64(asked.text.utf16.count)
        return values.prefix(1000).compactMap { value in
            guard let start = value["start"]?.int, let end = value["end"]?.int,
                let field = value["field"]?.string,
                0 <= start, start < end, end <= length
            else { return nil }
            return EnricherInterface.Span(start: Int(start), end: Int(end), field: field)
        }
    }

    /// Cut at a character boundary.
    private func text(_ name: String, maxBytes: Int) -> String? {
        guard let text = answer[name]?.string, !text.trimmed.isEmpty else { return nil }
        return text.cut(toBytes: maxBytes)
    }
}

extension EnricherInterface.Context {
    /// 0 Monday … 6 Sunday.
    var weekStartNumber: Int {
        ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
            .firstIndex(of: weekStart.lowercased()) ?? 6
    }
}

extension StringProtocol {
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

extension String {
    /// The longest beginning of at most `limit` bytes that ends between two characters.
    func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var bytes = 0
        var end = startIndex
        while end < endIndex {
            bytes += self[end].utf8.count
            if bytes > limit { break }
            end = index(after: end)
        }
        return String(self[..<end])
    }
}
