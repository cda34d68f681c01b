import Domain
import JSON
import Time

extension TaskField {
    /// A value of this field as the wire has it (2.1).
    func json(_ value: FieldValue) -> JSONValue {
        switch (wireType, value) {
        case (_, .null): .null
        case (.instant, .int(let seconds)): .string(Instant(seconds: seconds).iso8601)
        case (.flag, .int(let number)): .bool(number == 1)
        case (.number, .int(let number)): .int(number)
        // What the store keeps was checked when it came in; what does not read says nothing.
        case (.object, .text(let text)): (try? JSONValue(parsing: Array(text.utf8))) ?? .null
        case (_, .text(let text)): .string(text)
        case (_, .list(let names)): .array(names.map(JSONValue.string))
        case (_, .int(let number)): .int(number)
        }
    }

    private enum WireType { case instant, flag, number, text, object }

    private var wireType: WireType {
        switch self {
        case .target, .originalTarget, .deadline, .progressPeriodStart, .doneAt, .archivedAt, .deletedAt,
            .firstCompletedAt, .lastCompletedAt:
            .instant
        case .deadlineAllDay, .isReminder, .isTracked, .done: .flag
        case .project, .priority, .anchorWeekday, .anchorDayOfMonth, .repeatInterval, .progressTarget,
            .progressCurrent, .completionCount, .snoozeCount, .skipCount:
            .number
        case .quotaPromptConfig, .quotaDayState: .object
        case .title, .originalTitle, .shortTitle, .notes, .targetSource, .rrule, .recurrenceMode, .anchorTime,
            .ruleStart, .shortMonths, .horizon, .segmentConsideredOn, .segmentDeferredOn, .labels:
            .text
        }
    }
}
