internal import Interfaces
internal import Time

/// What is known beside the text (1.2), read once: the wall clock, the user's day, their words.
struct Circumstances {
    enum DateOrder { case mdy, dmy, ymd }
    enum Syntax { case todoist, vikunja, ticktick, words }

    var now: LocalDateTime
    private var zoneName: String
    var offsetMinutes: Int
    var morning: LocalTime
    var wake: LocalTime
    var sleep: LocalTime
    /// 0 Monday … 6 Sunday.
    var weekStart: Int
    var dateOrder: DateOrder
    var syntax: Syntax
    var projects: [NamedThing]
    var labels: [NamedThing]
    var periods: [(label: String, start: LocalTime)]
    var defaultPeriod: LocalTime?

    var today: LocalDate { now.date }
    /// nil: a name that this machine does not have; then the offset stands. Looked up when it is needed, which is
    /// seldom: a text that names a foreign zone.
    var zone: Zone? { Zone(zoneName) }

    init(_ context: EnricherInterface.Context) {
        let date = LocalDate(context.nowLocal.prefix(10)) ?? LocalDate(daysSince1970: 0)
        let time = LocalTime(context.nowLocal.dropFirst(11).prefix(5)) ?? .midnight
        now = LocalDateTime(date, time)
        zoneName = context.timeZone
        offsetMinutes = context.utcOffsetMinutes
        morning = LocalTime(context.morningTime) ?? Circumstances.clock(9, 0)
        wake = LocalTime(context.wakeTime) ?? Circumstances.clock(7, 0)
        sleep = LocalTime(context.sleepTime) ?? Circumstances.clock(22, 0)
        let first = Vocabulary.words[context.weekStart.lowercased()]
        weekStart = first?.key == .weekday ? first?.value ?? 6 : 6
        dateOrder = context.dateOrder == "mdy" ? .mdy : context.dateOrder == "ymd" ? .ymd : .dmy
        syntax =
            switch context.quickAddSyntax {
            case "vikunja": .vikunja
            case "ticktick": .ticktick
            case "words": .words
            default: .todoist
            }
        projects = context.projects.map(\.name).filter { $0.lowercased() != "inbox" }.map(NamedThing.init)
        labels = context.labels.map(NamedThing.init)
        periods = context.periods.compactMap { period in
            LocalTime(period.start).map { (period.label.lowercased(), $0) }
        }.sorted { $0.start < $1.start }
        let label = context.defaultPeriod?.lowercased()
        defaultPeriod = periods.first { $0.label == label }?.start
    }

    static func clock(_ hour: Int, _ minute: Int) -> LocalTime {
        LocalTime(hour: hour, minute: minute) ?? .midnight  // callers pass what exists
    }

    /// The first day of the user's week that `date` lies in.
    func weekBeginning(_ date: LocalDate) -> LocalDate {
        date.adding(days: -((date.weekday - weekStart + 7) % 7))
    }

    /// The weekday strictly after `date`.
    func coming(_ weekday: Int, after date: LocalDate) -> LocalDate {
        date.adding(days: (weekday - date.weekday + 6) % 7 + 1)
    }

    /// The period that is nearest; a tie goes to the earlier. The time itself when there are no periods.
    func nearestPeriod(to time: LocalTime) -> LocalTime {
        var best: LocalTime?
        for period in periods {
            let distance = abs(period.start.minuteOfDay - time.minuteOfDay)
            if let known = best, abs(known.minuteOfDay - time.minuteOfDay) <= distance { continue }
            best = period.start
        }
        return best ?? time
    }
}

/// A project or a label of the user.
struct NamedThing {
    var name: String
    /// Lower case, without blanks, `-` and `_`: how marks are compared.
    var squashed: String
    /// Its words in lower case.
    var words: [String]

    init(_ name: String) {
        self.name = name
        squashed = NamedThing.squash(name)
        words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    static func squash(_ text: some StringProtocol) -> String {
        text.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
    }
}

/// Words for a time of day (3.4).
enum PartOfDay: Int {
    case earlyMorning, morning, lunch, afternoon, evening, night, afterWork, beforeWork, firstThing, noon,
        midnight

    func time(_ here: Circumstances) -> LocalTime {
        switch self {
        case .earlyMorning: Circumstances.clock(7, 0)
        case .morning: here.morning
        case .lunch, .noon: Circumstances.clock(12, 0)
        case .afternoon: Circumstances.clock(14, 0)
        case .evening: Circumstances.clock(18, 0)
        case .night: here.sleep
        case .afterWork: Circumstances.clock(17, 0)
        case .beforeWork: Circumstances.clock(7, 30)
        case .firstThing: here.wake
        case .midnight: Circumstances.clock(23, 59)
        }
    }

    /// Whether an hour beside it is in the second half of the day.
    var isAfternoon: Bool {
        switch self {
        case .lunch, .afternoon, .evening, .night, .afterWork: true
        default: false
        }
    }
}

/// Rules that are one word.
enum Adverb: Int {
    case daily, nightly, weekly, fortnightly, monthly, quarterly, yearly
}
