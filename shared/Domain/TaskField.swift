import Time

/// The fields of an item that an action can change, by their names on the wire and in the store. What undo restores
/// field by field (U-4), what `fields_changed` lists and what an update writes all go through here.
public enum TaskField: String, CaseIterable, Sendable {
    case project = "project_id"
    case title
    case originalTitle = "original_title"
    case shortTitle = "short_title"
    case notes
    case priority
    case target = "due_at"
    case originalTarget = "original_due_at"
    case targetSource = "target_source"
    case deadline = "deadline_at"
    case deadlineAllDay = "deadline_all_day"
    case rrule
    case recurrenceMode = "recurrence_mode"
    case anchorTime = "anchor_time"
    case anchorWeekday = "anchor_dow"
    case anchorDayOfMonth = "anchor_dom"
    case ruleStart = "rrule_start"
    case shortMonths = "short_months"
    case repeatInterval = "auto_snooze_minutes"
    case horizon
    case segmentConsideredOn = "segment_considered_on"
    case segmentDeferredOn = "segment_deferred_on"
    case labels
    case isReminder = "is_reminder"
    case isTracked = "is_tracked"
    case progressTarget = "progress_target"
    case progressCurrent = "progress_current"
    case progressPeriodStart = "progress_period_start"
    case quotaPromptConfig = "quota_prompt_config"
    case quotaDayState = "quota_day_state"
    case done
    case doneAt = "done_at"
    case archivedAt = "archived_at"
    case deletedAt = "deleted_at"
    case completionCount = "completion_count"
    case snoozeCount = "snooze_count"
    case skipCount = "skip_count"
    case firstCompletedAt = "first_completed_at"
    case lastCompletedAt = "last_completed_at"

    /// U-5: counters move by difference, not by value.
    public var isCounter: Bool {
        switch self {
        case .progressCurrent, .completionCount, .snoozeCount, .skipCount: true
        default: false
        }
    }
}

/// The value of a field as the store keeps it: instants as seconds, dates and times as their texts, flags as 0 and 1.
public enum FieldValue: Hashable, Sendable {
    case null
    case int(Int64)
    case text(String)
    case list([String])

    init(_ value: String?) { self = value.map(FieldValue.text) ?? .null }
    init(_ value: Int?) { self = value.map { .int(Int64($0)) } ?? .null }
    init(_ value: Instant?) { self = value.map { .int($0.seconds) } ?? .null }
    init(_ value: Bool) { self = .int(value ? 1 : 0) }

    var text: String? { if case .text(let value) = self { value } else { nil } }
    var int: Int64? { if case .int(let value) = self { value } else { nil } }
    var instant: Instant? { int.map(Instant.init(seconds:)) }
    var bool: Bool { int == 1 }
}

extension TaskItem {
    /// A field by name. Setting takes what getting gave; a value of another shape reads as null or as the default.
    public subscript(field: TaskField) -> FieldValue {
        get {
            switch field {
            case .project: .int(project.rawValue)
            case .title: .text(title)
            case .originalTitle: FieldValue(originalTitle)
            case .shortTitle: FieldValue(shortTitle)
            case .notes: FieldValue(notes)
            case .priority: .int(Int64(priority.rawValue))
            case .target: FieldValue(target)
            case .originalTarget: FieldValue(originalTarget)
            case .targetSource: FieldValue(targetSource?.rawValue)
            case .deadline: FieldValue(deadline)
            case .deadlineAllDay: FieldValue(deadlineAllDay)
            case .rrule: FieldValue(rrule)
            case .recurrenceMode: .text(recurrenceMode.rawValue)
            case .anchorTime: FieldValue(anchorTime?.description)
            case .anchorWeekday: FieldValue(anchorWeekday)
            case .anchorDayOfMonth: FieldValue(anchorDayOfMonth)
            case .ruleStart: FieldValue(ruleStart?.description)
            case .shortMonths: .text(shortMonths.rawValue)
            case .repeatInterval: FieldValue(repeatInterval)
            case .horizon: FieldValue(horizon?.rawValue)
            case .segmentConsideredOn: FieldValue(segmentConsideredOn?.description)
            case .segmentDeferredOn: FieldValue(segmentDeferredOn?.description)
            case .labels: .list(labels)
            case .isReminder: FieldValue(isReminder)
            case .isTracked: FieldValue(isTracked)
            case .progressTarget: FieldValue(progressTarget)
            case .progressCurrent: FieldValue(progressCurrent)
            case .progressPeriodStart: FieldValue(progressPeriodStart)
            case .quotaPromptConfig: FieldValue(quotaPromptConfig)
            case .quotaDayState: FieldValue(quotaDayState)
            case .done: FieldValue(done)
            case .doneAt: FieldValue(doneAt)
            case .archivedAt: FieldValue(archivedAt)
            case .deletedAt: FieldValue(deletedAt)
            case .completionCount: FieldValue(completionCount)
            case .snoozeCount: FieldValue(snoozeCount)
            case .skipCount: FieldValue(skipCount)
            case .firstCompletedAt: FieldValue(firstCompletedAt)
            case .lastCompletedAt: FieldValue(lastCompletedAt)
            }
        }
        set {
            switch field {
            case .project: project = ProjectID(rawValue: newValue.int ?? project.rawValue)
            case .title: title = newValue.text ?? title
            case .originalTitle: originalTitle = newValue.text
            case .shortTitle: shortTitle = newValue.text
            case .notes: notes = newValue.text
            case .priority: priority = newValue.int.flatMap { Priority(rawValue: Int($0)) } ?? .unset
            case .target: target = newValue.instant
            case .originalTarget: originalTarget = newValue.instant
            case .targetSource: targetSource = newValue.text.flatMap(TargetSource.init(rawValue:))
            case .deadline: deadline = newValue.instant
            case .deadlineAllDay: deadlineAllDay = newValue.bool
            case .rrule: rrule = newValue.text
            case .recurrenceMode:
                recurrenceMode = newValue.text.flatMap(RecurrenceMode.init(rawValue:)) ?? .fromDue
            case .anchorTime: anchorTime = newValue.text.flatMap { LocalTime($0) }
            case .anchorWeekday: anchorWeekday = newValue.int.map(Int.init)
            case .anchorDayOfMonth: anchorDayOfMonth = newValue.int.map(Int.init)
            case .ruleStart: ruleStart = newValue.text.flatMap { LocalDate($0) }
            case .shortMonths: shortMonths = newValue.text.flatMap(ShortMonths.init(rawValue:)) ?? .lastDay
            case .repeatInterval: repeatInterval = newValue.int.map(Int.init)
            case .horizon: horizon = newValue.text.flatMap(Horizon.init(rawValue:))
            case .segmentConsideredOn: segmentConsideredOn = newValue.text.flatMap { LocalDate($0) }
            case .segmentDeferredOn: segmentDeferredOn = newValue.text.flatMap { LocalDate($0) }
            case .labels: if case .list(let names) = newValue { labels = names } else { labels = [] }
            case .isReminder: isReminder = newValue.bool
            case .isTracked: isTracked = newValue.bool
            case .progressTarget: progressTarget = newValue.int.map(Int.init) ?? 1
            case .progressCurrent: progressCurrent = newValue.int.map(Int.init) ?? 0
            case .progressPeriodStart: progressPeriodStart = newValue.instant
            case .quotaPromptConfig: quotaPromptConfig = newValue.text
            case .quotaDayState: quotaDayState = newValue.text
            case .done: done = newValue.bool
            case .doneAt: doneAt = newValue.instant
            case .archivedAt: archivedAt = newValue.instant
            case .deletedAt: deletedAt = newValue.instant
            case .completionCount: completionCount = newValue.int.map(Int.init) ?? 0
            case .snoozeCount: snoozeCount = newValue.int.map(Int.init) ?? 0
            case .skipCount: skipCount = newValue.int.map(Int.init) ?? 0
            case .firstCompletedAt: firstCompletedAt = newValue.instant
            case .lastCompletedAt: lastCompletedAt = newValue.instant
            }
        }
    }

    /// The fields in which this item differs from `other`, in the order of `TaskField`.
    public func fields(changedFrom other: TaskItem) -> [TaskField] {
        TaskField.allCases.filter { self[$0] != other[$0] }
    }
}
