public import Time

/// A recurrence rule of RFC 5545, section 3.3.10, in the parts that R-1 accepts.
public struct RecurrenceRule: Hashable, Sendable {
    /// no rule repeats within a day.
    public enum Frequency: String, Sendable, CaseIterable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// A value of BYDAY.
    public struct Day: Hashable, Sendable {
        /// 1 = the first in the month or year, -1 = the last; nil = every one.
        public var ordinal: Int?
        /// 0 = Monday … 6 = Sunday.
        public var weekday: Int

        public init(ordinal: Int? = nil, weekday: Int) {
            self.ordinal = ordinal
            self.weekday = weekday
        }
    }

    /// What ends a rule.
    public enum End: Hashable, Sendable {
        /// COUNT, at least 1, counted from the rule's start.
        case count(Int)
        /// UNTIL as a date: the last one.
        case date(LocalDate)
        /// UNTIL as a local time.
        case local(LocalDateTime)
        /// UNTIL as an instant (`…Z`).
        case instant(Instant)
    }

    public var frequency: Frequency
    /// 1 to 999.
    public var interval = 1
    public var byDay: [Day] = []
    /// 1 to 31, and -1 (the last day) to -31.
    public var byMonthDay: [Int] = []
    /// 1 to 12.
    public var byMonth: [Int] = []
    public var bySetPosition: [Int] = []
    /// BYHOUR and BYMINUTE; nil without BYHOUR.
    public var time: LocalTime?
    /// WKST: 0 = Monday … 6 = Sunday; Monday if absent.
    public var weekStart = 0
    public var end: End?

    public init(frequency: Frequency) { self.frequency = frequency }

    /// nothing but a frequency and an interval.
    public var isBarePeriod: Bool {
        var bare = RecurrenceRule(frequency: frequency)
        bare.interval = interval
        return self == bare
    }

    /// The two-letter days of RFC 5545, Monday first.
    static let dayNames = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
}

/// Why a text is no rule: the part that is wrong, and what is wrong with it, as a sentence for a person.
public struct RecurrenceRuleError: Error, Hashable, Sendable {
    /// The name of the part (`BYDAY`); empty if the text as a whole is no rule.
    public var part: String
    public var message: String
}
