/// `org.opentask.enricher`: turns the text of one task into fields (docs/spec/enrich.md, 2.2).
public enum EnricherInterface {
    public static let name = "org.opentask.enricher"

    /// A project that the user may mean. The Inbox is listed and never an answer.
    public struct Project: Codable, Hashable, Sendable {
        public var name: String
        public var shared: Bool

        public init(name: String, shared: Bool) {
            self.name = name
            self.shared = shared
        }

        enum CodingKeys: String, CodingKey {
            case name, shared
        }
    }

    /// A period of the day in which reminders are shown.
    public struct Period: Codable, Hashable, Sendable {
        public var label: String
        /// `HH:MM`, local.
        public var start: String

        public init(label: String, start: String) {
            self.label = label
            self.start = start
        }

        enum CodingKeys: String, CodingKey {
            case label, start
        }
    }

    /// A local date, and a time of day if one was said.
    public struct Moment: Codable, Hashable, Sendable {
        /// `YYYY-MM-DD`.
        public var date: String
        /// `HH:MM`; nil: no time was said.
        public var time: String?

        public init(date: String, time: String? = nil) {
            self.date = date
            self.time = time
        }

        enum CodingKeys: String, CodingKey {
            case date, time
        }
    }

    /// How often in each period.
    public struct Quota: Codable, Hashable, Sendable {
        public enum Period: String, Codable, CaseIterable, Sendable {
            case day, week, month, year
        }

        /// 1 to 999.
        public var target: Int
        public var period: Period

        public init(target: Int, period: Period) {
            self.target = target
            self.period = period
        }

        enum CodingKeys: String, CodingKey {
            case target, period
        }
    }

    /// A part of the text that was recognised: [start, end) in UTF-16 units.
    public struct Span: Codable, Hashable, Sendable {
        public var start: Int
        public var end: Int
        /// The result field that it became: `target`, `rrule` …
        public var field: String

        public init(start: Int, end: Int, field: String) {
            self.start = start
            self.end = end
            self.field = field
        }

        enum CodingKeys: String, CodingKey {
            case start, end, field
        }
    }

    /// What a model took.
    public struct Usage: Codable, Hashable, Sendable {
        public var inputTokens: Int
        public var outputTokens: Int
        public var model: String?

        public init(inputTokens: Int, outputTokens: Int, model: String?) {
            self.inputTokens = inputTokens
            self.outputTokens = outputTokens
            self.model = model
        }

        enum CodingKeys: String, CodingKey {
            case inputTokens = "input_tokens"
            case outputTokens = "output_tokens"
            case model
        }
    }

    /// What the enricher is told beside the text (1.2). Times of day are `HH:MM`, local.
    public struct Context: Codable, Hashable, Sendable {
        /// `YYYY-MM-DDTHH:MM`: the wall clock when the task was typed.
        public var nowLocal: String
        /// The IANA name.
        public var timeZone: String
        /// East of Greenwich, at `nowLocal`.
        public var utcOffsetMinutes: Int
        public var morningTime: String
        public var wakeTime: String
        public var sleepTime: String
        /// `sunday` or `monday` (any weekday's English name is understood).
        public var weekStart: String
        /// `mdy`, `dmy` or `ymd`.
        public var dateOrder: String
        /// `todoist`, `vikunja`, `ticktick` or `words`.
        public var quickAddSyntax: String
        public var projects: [Project]
        public var labels: [String]
        public var periods: [Period]
        /// The label of the period for a reminder without a time.
        public var defaultPeriod: String?
        /// What the user has written about themself; only for enrichers that want it.
        public var userContext: String?

        public init(
            nowLocal: String, timeZone: String, utcOffsetMinutes: Int, morningTime: String = "09:00",
            wakeTime: String = "07:00", sleepTime: String = "22:00", weekStart: String = "sunday",
            dateOrder: String = "dmy", quickAddSyntax: String = "todoist", projects: [Project] = [],
            labels: [String] = [], periods: [Period] = [], defaultPeriod: String? = nil,
            userContext: String? = nil
        ) {
            self.nowLocal = nowLocal
            self.timeZone = timeZone
            self.utcOffsetMinutes = utcOffsetMinutes
            self.morningTime = morningTime
            self.wakeTime = wakeTime
            self.sleepTime = sleepTime
            self.weekStart = weekStart
            self.dateOrder = dateOrder
            self.quickAddSyntax = quickAddSyntax
            self.projects = projects
            self.labels = labels
            self.periods = periods
            self.defaultPeriod = defaultPeriod
            self.userContext = userContext
        }

        enum CodingKeys: String, CodingKey {
            case nowLocal = "now_local"
            case timeZone = "time_zone"
            case utcOffsetMinutes = "utc_offset_minutes"
            case morningTime = "morning_time"
            case wakeTime = "wake_time"
            case sleepTime = "sleep_time"
            case weekStart = "week_start"
            case dateOrder = "date_order"
            case quickAddSyntax = "quick_add_syntax"
            case projects, labels, periods
            case defaultPeriod = "default_period"
            case userContext = "user_context"
        }
    }

    /// The fields that a text says (1.3). Nil, priority 0 and no labels mean "not said". All times are local wall
    /// time without an offset.
    public struct Result: Codable, Hashable, Sendable {
        public var title: String
        public var target: Moment?
        public var deadline: Moment?
        /// 0 not said, 1 low to 4 urgent.
        public var priority: Int
        /// RFC 5545, the subset of 1.3.
        public var rrule: String?
        /// `from_due` or `from_completion`.
        public var recurrenceMode: String?
        public var labels: [String]
        public var project: String?
        public var notes: String?
        /// `task`, `reminder` or `quota`.
        public var kind: String
        public var quota: Quota?
        /// 0 to 1,440; 0 means "off", which is not nil.
        public var autoSnoozeMinutes: Int?
        /// 1 to 1,440.
        public var estimateMinutes: Int?
        public var spans: [Span]?
        public var reasoning: String?

        public init(
            title: String, target: Moment? = nil, deadline: Moment? = nil, priority: Int = 0,
            rrule: String? = nil, recurrenceMode: String? = nil, labels: [String] = [],
            project: String? = nil, notes: String? = nil, kind: String = "task", quota: Quota? = nil,
            autoSnoozeMinutes: Int? = nil, estimateMinutes: Int? = nil, spans: [Span]? = nil,
            reasoning: String? = nil
        ) {
            self.title = title
            self.target = target
            self.deadline = deadline
            self.priority = priority
            self.rrule = rrule
            self.recurrenceMode = recurrenceMode
            self.labels = labels
            self.project = project
            self.notes = notes
            self.kind = kind
            self.quota = quota
            self.autoSnoozeMinutes = autoSnoozeMinutes
            self.estimateMinutes = estimateMinutes
            self.spans = spans
            self.reasoning = reasoning
        }

        enum CodingKeys: String, CodingKey {
            case title, target, deadline, priority, rrule
            case recurrenceMode = "recurrence_mode"
            case labels, project, notes, kind, quota
            case autoSnoozeMinutes = "auto_snooze_minutes"
            case estimateMinutes = "estimate_minutes"
            case spans, reasoning
        }
    }
}
