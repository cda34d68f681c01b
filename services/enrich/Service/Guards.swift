public import Interfaces
internal import Time

/// What no answer may do, whoever gives it (docs/spec/enrich.md, 1.4). Pure: an answer and what was asked come in, the
/// answer that is reported comes out.
public struct Guards {
    private let text: String
    private let context: EnricherInterface.Context
    private let project: String?
    private let hasSchedule: Bool

    /// - Parameters:
    ///   - project: the project that was chosen for the task; nil: the Inbox.
    ///   - hasSchedule: a reminder that has a rule already.
    public init(
        text: String, context: EnricherInterface.Context, project: String? = nil, hasSchedule: Bool = false
    ) {
        self.text = text
        self.context = context
        self.project = project
        self.hasSchedule = hasSchedule
    }

    public func guarded(_ answer: EnricherInterface.Result) -> EnricherInterface.Result {
        var result = answer
        result.labels = result.labels.filter(isAskedFor)
        guardProject(&result)
        guardTarget(&result)
        // Before the shapes: what a kind cannot hold was understood all the same.
        keepFacts(&result)
        switch result.kind {
        case "reminder": shapeReminder(&result)
        case "quota": shapeQuota(&result)
        default: result.quota = nil
        }
        if result.rrule == nil { result.recurrenceMode = nil }
        return result
    }

    // MARK: Labels

    /// The text asks for labels in words, or has this one behind the label mark.
    private func isAskedFor(_ label: String) -> Bool {
        let marks: [Character] =
            switch context.quickAddSyntax {
            case "vikunja": ["*"]
            case "ticktick": ["#"]
            case "words": []
            default: ["@", "#"]
            }
        return asksForLabels || text.hasMark(marks, label)
    }

    private var asksForLabels: Bool {
        let words = text.lowercasedWords
        for (i, word) in words.enumerated() {
            let next = i + 1 < words.count ? words[i + 1] : ""
            switch word {
            case "label", "tag":
                if ["it", "this", "as", "them", "with"].contains(next) { return true }
                if words[max(0, i - 6)..<i].contains(where: { ["add", "with", "use", "give"].contains($0) }) {
                    return true
                }
            case "labels", "tags":
                if words[max(0, i - 6)..<i].contains(where: { ["add", "with", "use", "give"].contains($0) }) {
                    return true
                }
            case "labelled", "labeled", "tagged": return true
            case "mark":
                if next == "as"
                    || ["it", "this"].contains(next) && i + 2 < words.count && words[i + 2] == "as"
                {
                    return true
                }
            default: break
            }
        }
        return false
    }

    // MARK: Project

    /// A project must be named: topic alone never files a task; and a chosen one is left only on an instruction, which
    /// is one when its words have gone from the title.
    private func guardProject(_ result: inout EnricherInterface.Result) {
        guard let name = result.project else { return }
        let words = name.nameWords
        let marks: [Character] =
            switch context.quickAddSyntax {
            case "vikunja": ["+"]
            case "ticktick": ["~"]
            case "words": []
            default: ["#"]
            }
        let said = Set(text.lowercasedWords)
        guard words.contains(where: said.contains) || text.hasMark(marks, name) else {
            result.project = nil
            return
        }
        if let project, project.lowercased() != name.lowercased() {
            let title = Set(result.title.lowercasedWords)
            if words.contains(where: title.contains) { result.project = nil }
        }
    }

    // MARK: Target

    /// Not before now minus 24 h; not after the deadline.
    private func guardTarget(_ result: inout EnricherInterface.Result) {
        guard let target = result.target, let date = LocalDate(target.date) else { return }
        let morning = LocalTime(context.morningTime) ?? .midnight
        let moment = LocalDateTime(date, target.time.flatMap { LocalTime($0) } ?? morning)
        if let now = context.now {
            let dayBefore = LocalDateTime(now.date.adding(days: -1), now.time)
            // A date alone is its whole day: today's morning may have passed.
            if target.time == nil ? date < dayBefore.date : moment < dayBefore {
                result.target = nil
                return
            }
        }
        if let deadline = result.deadline, let day = LocalDate(deadline.date) {
            let end = LocalDateTime(
                day, deadline.time.flatMap { LocalTime($0) } ?? LocalTime(hour: 23, minute: 59) ?? .midnight)
            let start = target.time == nil ? LocalDateTime(date, .midnight) : moment
            if start > end { result.target = nil }
        }
    }

    // MARK: Shapes

    private func shapeReminder(_ result: inout EnricherInterface.Result) {
        result.target = nil
        result.deadline = nil
        result.labels = []
        result.project = nil
        result.autoSnoozeMinutes = nil
        result.recurrenceMode = nil
        result.quota = nil
        // An existing schedule is left alone by words that say nothing about when.
        let saysWhen =
            result.spans?.contains { ["rrule", "target", "time", "period"].contains($0.field) } ?? true
        guard let text = result.rrule, saysWhen || !hasSchedule else {
            result.rrule = nil
            return
        }
        let anchor = RuleText.Anchor(date: nil, weekStart: context.weekStartNumber)
        guard let rule = RuleText(text, isReminder: true, anchor: anchor) else {
            result.rrule = nil
            return
        }
        result.rrule = rule.canonical(at: period(rule.time))
    }

    /// The nearest period's start, the earlier of two; without a time the default period's.
    private func period(_ time: LocalTime?) -> LocalTime {
        let periods = context.periods.compactMap { period in
            LocalTime(period.start).map { (period.label, $0) }
        }
        .sorted { $0.1 < $1.1 }
        let morning = LocalTime(context.morningTime) ?? .midnight
        guard let time else {
            let label = context.defaultPeriod?.lowercased()
            return periods.first { $0.0.lowercased() == label }?.1 ?? period(morning)
        }
        let nearest = periods.min { a, b in
            abs(a.1.minuteOfDay - time.minuteOfDay) < abs(b.1.minuteOfDay - time.minuteOfDay)
        }
        return nearest?.1 ?? time
    }

    private func shapeQuota(_ result: inout EnricherInterface.Result) {
        result.target = nil
        result.deadline = nil
        result.rrule = nil
        result.recurrenceMode = nil
        result.project = nil
        result.autoSnoozeMinutes = nil
        result.estimateMinutes = nil
    }

    // MARK: Nothing dropped

    /// Facts of the text that are nowhere in the answer bring the whole text into the notes.
    private func keepFacts(_ result: inout EnricherInterface.Result) {
        let kept = [result.title, result.notes ?? ""].joined(separator: "\n")
        let fields = [
            result.target?.date, result.target?.time, result.deadline?.date, result.deadline?.time,
            result.rrule,
        ].compactMap { $0 }.joined(separator: " ")
        for fact in Facts(text).all where !kept.contains(fact.text) {
            if let spans = result.spans {
                if spans.contains(where: {
                    $0.start <= fact.range.lowerBound && fact.range.upperBound <= $0.end
                }) {
                    continue
                }
            } else if fact.isNumber, fields.contains(fact.text) {
                continue
            }
            result.notes = result.notes.map { "\($0)\n\n\(text)" } ?? text
            return
        }
    }
}

extension EnricherInterface.Context {
    /// `now_local` read.
    var now: LocalDateTime? {
        guard let date = LocalDate(nowLocal.prefix(10)),
            let time = LocalTime(nowLocal.dropFirst(11).prefix(5))
        else { return nil }
        return LocalDateTime(date, time)
    }
}

extension String {
    /// Runs of letters and digits in lower case.
    var lowercasedWords: [String] { lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init) }

    /// The words that stand for a name: those of at least three letters; all of them if there is none.
    var nameWords: [String] {
        let words = lowercasedWords
        let long = words.filter { $0.count >= 3 }
        return long.isEmpty ? words : long
    }

    /// Whether a mark with this name behind it stands in the text; blanks, `-` and `_` do not count.
    func hasMark(_ marks: [Character], _ name: String) -> Bool {
        func squash(_ text: some StringProtocol) -> String {
            text.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
        }
        let wanted = squash(name)
        for index in indices where marks.contains(self[index]) {
            if index > startIndex,
                self[self.index(before: index)].isLetter || self[self.index(before: index)].isNumber
            {
                continue
            }
            let rest = self[self.index(after: index)...]
            let found = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            if squash(found) == wanted { return true }
        }
        return false
    }
}
