import ApiStore
import Domain
import JSON
import Time

// Bodies of A15 and A18 to drafts and patches. What a value may be is the rules' business (T-3); here only its type.

extension Fields {
    /// A date (all day, D-1) or a date and time.
    func optionalDeadline(_ key: String, zone: Zone) throws(Failure) -> DeadlineInput? {
        guard let text = try optionalString(key) else { return nil }
        if let date = LocalDate(text) {
            try checkYear(date.year, of: key)
            return .date(date)
        }
        guard let instant = try optionalInstant(key, zone: zone) else { return nil }
        return .instant(instant)
    }

    func optionalPriority(_ key: String) throws(Failure) -> TaskItem.Priority? {
        try optionalInt(key, in: 0...4).flatMap(TaskItem.Priority.init(rawValue:))
    }

    func optionalWord<Word: RawRepresentable<String>>(
        _ key: String, _ type: Word.Type, _ words: String
    ) throws(Failure) -> Word? {
        guard let text = try optionalString(key) else { return nil }
        guard let word = Word(rawValue: text) else { throw refuse(key, "must be one of \(words)") }
        return word
    }

    /// Names, trimmed, without repeats, at most 50 of 1 to 100 characters (1.8, L-1).
    func optionalLabels(_ key: String) throws(Failure) -> [String]? {
        guard let names = try optionalStrings(key) else { return nil }
        guard names.count <= 50 else { throw refuse(key, "a task has at most 50 labels") }
        var labels: [String] = []
        for name in names {
            let trimmed = name.trimmed
            guard (1...100).contains(trimmed.unicodeScalars.count) else {
                throw refuse(key, "a label has 1 to 100 characters")
            }
            if !labels.contains(where: { $0.lowercased() == trimmed.lowercased() }) { labels.append(trimmed) }
        }
        return labels
    }

    private static let horizons = "days, weeks, months, someday"
    private static let modes = "from_due, from_completion"
    private static let shortMonths = "last_day, skip"

    /// A15.
    func draft(inbox: ProjectID, zone: Zone) throws(Failure) -> TaskDraft {
        let project = try optionalInt("project_id", in: 1...Int.max).map { ProjectID(rawValue: Int64($0)) }
        var draft = TaskDraft(title: try string("title"), project: project ?? inbox)
        draft.notes = try optionalString("notes")
        draft.shortTitle = try optionalString("short_title")
        draft.priority = try optionalPriority("priority") ?? .unset
        draft.target = try optionalInstant("due_at", zone: zone)
        draft.deadline = try optionalDeadline("deadline_at", zone: zone)
        draft.rrule = try present("rrule", optionalString)
        draft.recurrenceMode =
            try optionalWord("recurrence_mode", TaskItem.RecurrenceMode.self, Self.modes) ?? .fromDue
        draft.labels = try optionalLabels("labels") ?? []
        draft.isReminder = try optionalBool("is_reminder") ?? false
        draft.isTracked = try optionalBool("is_tracked") ?? false
        draft.progressTarget = try optionalInt("progress_target", in: 1...1000) ?? 1
        draft.quotaPromptConfig = try optionalPromptConfig("quota_prompt_config")
        draft.repeatInterval = try optionalInt("auto_snooze_minutes", in: 0...10_080)
        draft.horizon = try present("horizon") { key throws(Failure) in
            try optionalWord(key, TaskItem.Horizon.self, Self.horizons)
        }
        draft.shortMonths =
            try optionalWord("short_months", TaskItem.ShortMonths.self, Self.shortMonths) ?? .lastDay
        return draft
    }

    /// A18.
    func patch(zone: Zone) throws(Failure) -> TaskPatch {
        var patch = TaskPatch()
        patch.title = try given("title", optionalString)
        patch.notes = try present("notes", optionalString)
        patch.shortTitle = try present("short_title", optionalString)
        patch.project = try given("project_id") { key throws(Failure) in
            try optionalInt(key, in: 1...Int.max).map { ProjectID(rawValue: Int64($0)) }
        }
        patch.priority = try given("priority", optionalPriority)
        patch.target = try present("due_at") { key throws(Failure) in try optionalInstant(key, zone: zone) }
        patch.deadline = try present("deadline_at") { key throws(Failure) in
            try optionalDeadline(key, zone: zone)
        }
        patch.rrule = try present("rrule", optionalString)
        patch.recurrenceMode = try given("recurrence_mode") { key throws(Failure) in
            try optionalWord(key, TaskItem.RecurrenceMode.self, Self.modes)
        }
        patch.labels = try given("labels", optionalLabels)
        patch.isReminder = try given("is_reminder", optionalBool)
        patch.isTracked = try given("is_tracked", optionalBool)
        patch.progressTarget = try given("progress_target") { key throws(Failure) in
            try optionalInt(key, in: 1...1000)
        }
        patch.progressCurrent = try given("progress_current") { key throws(Failure) in
            try optionalInt(key, in: 0...10_000)
        }
        patch.quotaPromptConfig = try present("quota_prompt_config", optionalPromptConfig)
        patch.repeatInterval = try present("auto_snooze_minutes") { key throws(Failure) in
            try optionalInt(key, in: 0...10_080)
        }
        patch.horizon = try present("horizon") { key throws(Failure) in
            try optionalWord(key, TaskItem.Horizon.self, Self.horizons)
        }
        patch.shortMonths = try given("short_months") { key throws(Failure) in
            try optionalWord(key, TaskItem.ShortMonths.self, Self.shortMonths)
        }
        patch.resetOriginalTarget = try optionalBool("reset_original_due_at") ?? false
        return patch
    }

    /// S-3: `until`, `option` or `delta_minutes`; nil for none of them.
    func snoozeRequest(zone: Zone, deltaRange: ClosedRange<Int>) throws(Failure) -> SnoozeRequest? {
        var requests: [SnoozeRequest] = []
        if let until = try optionalInstant("until", zone: zone) { requests.append(.until(until)) }
        if let option = try optionalString("option") { requests.append(.option(option)) }
        if let delta = try optionalInt("delta_minutes", in: deltaRange) {
            requests.append(.deltaMinutes(delta))
        }
        guard requests.count <= 1 else {
            throw .invalid("Send one of until, option and delta_minutes", ["": "more than one target"])
        }
        return requests.first
    }
}

extension String {
    /// Without white space at its ends.
    var trimmed: String {
        var text = self[...]
        while let first = text.unicodeScalars.first, first.properties.isWhitespace {
            text.unicodeScalars.removeFirst()
        }
        while let last = text.unicodeScalars.last, last.properties.isWhitespace {
            text.unicodeScalars.removeLast()
        }
        return String(text)
    }
}
