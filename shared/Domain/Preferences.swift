public import Time

/// The preferences of a user that rules read, with their defaults.
public struct Preferences: Hashable, Sendable {
    public enum WeekStart: String, Sendable {
        case sunday, monday
    }

    public var zone: Zone
    public var weekStart: WeekStart = .sunday
    /// 09:00.
    public var morningTime = LocalTime(hour: 9, minute: 0) ?? .midnight
    /// 07:00 and 22:00.
    public var wakeTime = LocalTime(hour: 7, minute: 0) ?? .midnight
    public var sleepTime = LocalTime(hour: 22, minute: 0) ?? .midnight
    /// Minutes, 0 to 1,440; 0 = off (T-9).
    public var repeatIntervalUnset = 30
    public var repeatIntervalLow = 240
    public var repeatIntervalMedium = 60
    public var repeatIntervalHigh = 15
    public var repeatIntervalUrgent = 5
    /// A snooze option of S-3.
    public var defaultSnoozeOption = "60"
    /// A snooze option of S-3, or `default_option`.
    public var bulkSnoozeDefault = "next_period"
    public var notificationsEnabled = true
    public var enrichmentNotificationsEnabled = true
    public var sweepFeedbackEnabled = true
    /// 0.0 to 1.0.
    public var criticalAlertVolume = 1.0
    public var defaultHorizon: TaskItem.Horizon?
    /// off = no quota reminders.
    public var quotaPromptsEnabled = true
    /// M-8, Q-21: where new reminders and quota reminders are; nil, or one that is gone = the first period of the day.
    public var defaultPeriod: Period.ID?

    public init(zone: Zone) { self.zone = zone }

    /// what a sweep without a time of its own means, `default_option` resolved.
    public var bulkSnoozeOption: String {
        bulkSnoozeDefault == "default_option" ? defaultSnoozeOption : bulkSnoozeDefault
    }
}
