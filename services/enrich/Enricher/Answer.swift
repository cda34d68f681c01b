internal import Interfaces
internal import Time

/// From a reading to the fields of its kind (3.7).
struct Answer {
    private(set) var result: EnricherInterface.Result
    private let reading: Reading

    /// - Parameters:
    ///   - stop: a full stop was set aside.
    ///   - rest: further lines.
    ///   - whole: the text as it came.
    init(_ reading: Reading, title: Title, stop: Bool, rest: String?, whole: String) {
        self.reading = reading
        let wasCut = !reading.cuts.isEmpty || !title.spans.isEmpty
        result = EnricherInterface.Result(title: title.text + (stop && !wasCut ? "." : ""))
        result.priority = reading.priority.level
        result.estimateMinutes = reading.estimate
        result.notes = (reading.notes + (rest.map { [$0] } ?? [])).joined(separator: "\n\n")
        if result.notes == "" { result.notes = nil }
        result.spans = spans(title)
        shorten(whole)
        let kind = reading.kind == "auto" ? decide(whole) : reading.kind
        result.kind = kind
        switch kind {
        case "reminder": fillReminder()
        case "quota": fillQuota()
        default: fillTask()
        }
    }

    private func spans(_ title: Title) -> [EnricherInterface.Span] {
        let fields = (reading.cuts + reading.seen).map { ($0.range, $0.field) }
        let scaffold = title.spans.map { ($0, "title") }
        return (fields + scaffold).sorted {
            ($0.0.lowerBound, $0.0.upperBound) < ($1.0.lowerBound, $1.0.upperBound)
        }
        .map { EnricherInterface.Span(start: $0.0.lowerBound, end: $0.0.upperBound, field: $0.1) }
    }

    /// auto: a quota phrase is a quota; remind or remember at the start with a rule is a reminder; else a task.
    private func decide(_ text: String) -> String {
        if reading.rule?.times != nil { return "quota" }
        let start = text.drop { $0.isWhitespace }.prefix(12).lowercased()
        if reading.rule != nil, start.hasPrefix("remind ") || start.hasPrefix("remember ") {
            return "reminder"
        }
        return "task"
    }

    // MARK: Kinds

    private mutating func fillTask() {
        let target = reading.target()
        result.target = target.map { moment($0) }
        result.deadline = reading.deadlineMoment(target: target?.date).map { moment($0) }
        result.rrule = reading.completeRule()?.text()
        if result.rrule != nil, reading.isFromCompletion { result.recurrenceMode = "from_completion" }
        result.labels = reading.labels
        result.project = reading.project
        result.autoSnoozeMinutes = reading.autoSnooze
    }

    private func moment(_ value: (date: LocalDate, time: LocalTime?)) -> EnricherInterface.Moment {
        EnricherInterface.Moment(date: value.date.description, time: value.time?.description)
    }

    /// Always a rule; the time is a period's.
    private mutating func fillReminder() {
        let here = reading.here
        var rule = reading.completeRule() ?? reading.day.flatMap { weekly($0) } ?? Rule(frequency: .daily)
        rule.complete(start: nil, here)
        result.rrule = rule.text(at: reminderTime())
        if result.rrule != nil, reading.isFromCompletion { result.recurrenceMode = nil }
    }

    /// A weekday without "every" in a reminder: each week on it.
    private func weekly(_ day: Day) -> Rule? {
        guard case .weekday(let weekday) = day else { return nil }
        return .weekly([weekday])
    }

    private func reminderTime() -> LocalTime {
        let here = reading.here
        let part = reading.part ?? reading.rule?.part
        if let clock = reading.clock ?? reading.ruleStart?.clock ?? nil {
            if let time = reading.time(clock, part: part, on: here.today.adding(days: 1)) {
                return here.nearestPeriod(to: time)
            }
        }
        if let part {
            if part == .night { return here.periods.last?.start ?? part.time(here) }
            let label: String? =
                switch part {
                case .earlyMorning: "early morning"
                case .morning: "morning"
                case .afternoon: "afternoon"
                case .evening: "evening"
                default: nil
                }
            if let period = here.periods.first(where: { $0.label == label }) { return period.start }
            return here.nearestPeriod(to: part.time(here))
        }
        return here.defaultPeriod ?? here.nearestPeriod(to: here.morning)
    }

    private mutating func fillQuota() {
        result.labels = reading.labels
        if let (count, unit) = reading.rule?.times, let period = period(unit), count <= 999 {
            result.quota = EnricherInterface.Quota(target: count, period: period)
        } else if let unit = reading.rule?.single, let period = period(unit) {
            result.quota = EnricherInterface.Quota(target: 1, period: period)
        }
    }

    private func period(_ unit: Unit) -> EnricherInterface.Quota.Period? {
        switch unit {
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        default: nil
        }
    }

    // MARK: Long titles

    /// Over 200 characters with a sentence end in the first 160: the first sentence, the rest in notes. Over 500: cut
    /// with `…`, the whole text in notes (3.6).
    private mutating func shorten(_ whole: String) {
        if result.title.count > 200, let end = sentenceEnd(result.title) {
            let rest = result.title[end...].drop { $0.isWhitespace }
            result.notes = [String(rest), result.notes].compactMap { $0 }.joined(separator: "\n\n")
            result.title = String(result.title[..<end])
        }
        if result.title.count > 500 {
            result.title = String(result.title.prefix(499)) + "…"
            result.notes = whole
        }
    }

    /// Behind the first `.`, `!` or `?` that a blank follows, within 160 characters.
    private func sentenceEnd(_ text: String) -> String.Index? {
        var index = text.startIndex
        for _ in 0..<160 {
            guard index < text.endIndex else { return nil }
            let next = text.index(after: index)
            if ".!?".contains(text[index]), next < text.endIndex, text[next].isWhitespace { return next }
            index = next
        }
        return nil
    }
}
