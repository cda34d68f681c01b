/// What a word means to the grammar. Classes (`weekday`, `unit` …) carry a value; the rest stand for themselves.
enum Key: String, CaseIterable {
    // Not a word of the grammar.
    case none = "#none"
    // Classes; a raw value that no word can have.
    case weekday = "#weekday"
    case month = "#month"
    case number = "#number"
    case tens = "#tens"
    case ordinal = "#ordinal"
    case unit = "#unit"
    case part = "#part"
    case adverb = "#adverb"
    case zone = "#zone"
    case priority = "#priority"
    case eod, eow, eom, eoy
    case today, tomorrow, tonight, yesterday, now, noon, midnight, lunch, bed, bedtime, weekend, weekends
    case workday, weekdays
    case a, an, the, this, that, next, last, coming, other, early
    case every, each, ev, of, on, at, by, before, after, `in`, from, `for`, to, until, till, within, with,
        over, during, about
    case per, and, or, but, then, because, so, than, through, thru, past, half, except, between
    case due, deadline, no, starting, beginning, `is`, it, its = "it's", i, my, me, business
    case couple, few, times, time, x, once, twice, oclock = "o'clock"
    case am, pm, m, p, end, thing, work, completion, complete, completed, finish, finished, when, done
    case auto, autosnooze, snooze, snoozing
    case urgent, asap, immediately, right, important, critical, rush, whenever, not, very, really, kind, make
    case high, top, medium, normal, low, priority_ = "priority"
    case label, tag, mark, `as`, add, put, file, move, project, list, under
    case um, uh, ok, okay, please, need, have, want, should, probably, remind, remember, dont = "don't",
        forget
    case todo, like, whatever, thanks, thank, you, just
    case usa, med
    case dinner, supper, drinks, movie, concert, party, breakfast
    case don, get
}

/// Lengths that the grammar counts in.
enum Unit: Int {
    case minute, hour, day, week, month, quarter, year

    /// Minutes, for the units of a clock; nil for those of a calendar.
    var minutes: Int? { self == .minute ? 1 : self == .hour ? 60 : nil }
}

/// The meaning of one word.
struct Lexeme {
    var key: Key
    /// 0 Monday … 6 Sunday, 1 January … 12, the number, `Unit`, `PartOfDay`, `Adverb`, or minutes east.
    var value = 0
    /// An abbreviation that is a word of its own too (`sat`, `sun`), or a unit's letter (`h`), which counts only
    /// behind a number.
    var isShort = false
    /// `mondays`: a rule, not a day.
    var isPlural = false
    /// A month that is also a name or a verb, and so needs a day beside it.
    var isAmbiguous = false
    /// A verb that a task begins with.
    var isVerb = false
}

/// The words of the grammar (3.3), looked up once for each word of a text.
enum Vocabulary {
    static let words: [String: Lexeme] = {
        var words: [String: Lexeme] = [:]
        for key in Key.allCases where !key.rawValue.hasPrefix("#") { words[key.rawValue] = Lexeme(key: key) }
        for (spelling, key) in aliases { words[spelling] = Lexeme(key: key) }
        for (value, names) in weekdays.enumerated() {
            for name in names.split(separator: " ") {
                let isShort = name.count <= 5 && !name.hasSuffix("day")
                words[String(name)] = Lexeme(key: .weekday, value: value, isShort: isShort)
                if !isShort {
                    words[name + "s"] = Lexeme(key: .weekday, value: value, isPlural: true)
                }
            }
        }
        for (value, names) in months.enumerated() {
            for name in names.split(separator: " ") {
                words[String(name)] = Lexeme(
                    key: .month, value: value + 1, isAmbiguous: ambiguousMonths.contains(String(name)))
            }
        }
        for (value, name) in numbers.split(separator: " ").enumerated() {
            words[String(name)] = Lexeme(key: .number, value: value + 1)
        }
        for (value, name) in tens.split(separator: " ").enumerated() {
            words[String(name)] = Lexeme(key: .tens, value: (value + 2) * 10)
        }
        for (value, name) in ordinals.split(separator: " ").enumerated() {
            words[String(name)] = Lexeme(key: .ordinal, value: value + 1)
        }
        words["thirtieth"] = Lexeme(key: .ordinal, value: 30)
        for (unit, names) in units {
            for name in names.split(separator: " ") {
                words[String(name)] = Lexeme(
                    key: .unit, value: unit.rawValue, isShort: name.count == 1 || name == "mo")
            }
        }
        for (part, name) in parts { words[name] = Lexeme(key: .part, value: part.rawValue) }
        for (adverb, name) in adverbs { words[name] = Lexeme(key: .adverb, value: adverb.rawValue) }
        for (name, minutes) in zones { words[name] = Lexeme(key: .zone, value: minutes) }
        for verb in verbs.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            words[String(verb), default: Lexeme(key: .none)].isVerb = true
        }
        return words
    }()

    private static let aliases: [(String, Key)] = [
        ("tmrw", .tomorrow), ("tmr", .tomorrow), ("tommorow", .tomorrow), ("tommorrow", .tomorrow),
        ("tomorow", .tomorrow), ("2day", .today), ("midday", .noon), ("it’s", .its), ("its", .its),
        ("o’clock", .oclock), ("don’t", .dont), ("dont", .dont), ("workdays", .weekdays), ("ending", .end),
        ("begin", .beginning), ("start", .starting), ("starts", .starting), ("umm", .um), ("uhh", .uh),
        ("labels", .label), ("autosnoozing", .autosnooze), ("to-do", .todo), ("noontime", .noon),
        ("lunchtime", .lunch), ("finishing", .finish), ("completing", .complete),
    ]

    private static let weekdays = [
        "monday mon", "tuesday tue tues teusday tuseday", "wednesday wed weds wednsday wensday wendsday",
        "thursday thu thur thurs thrusday", "friday fri",
        "saturday sat saterday", "sunday sun",
    ]

    private static let months = [
        "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
        "september sep sept", "october oct", "november nov", "december dec",
    ]

    private static let ambiguousMonths: Set<String> = [
        "march", "april", "may", "june", "august", "mar", "jan",
    ]

    private static let numbers =
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        + " seventeen eighteen nineteen"

    private static let tens = "twenty thirty forty fifty"

    private static let ordinals =
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
        + " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"

    private static let units: [(Unit, String)] = [
        (.minute, "minute minutes min mins"), (.hour, "hour hours h hr hrs"), (.day, "day days d"),
        (.week, "week weeks w wk wks"), (.month, "month months mo mos"), (.quarter, "quarter quarters"),
        (.year, "year years y yr yrs"),
    ]

    private static let parts: [(PartOfDay, String)] = [
        (.morning, "morning"), (.afternoon, "afternoon"), (.evening, "evening"), (.night, "night"),
        (.morning, "mornings"), (.afternoon, "afternoons"), (.evening, "evenings"), (.night, "nights"),
    ]

    private static let adverbs: [(Adverb, String)] = [
        (.daily, "daily"), (.daily, "everyday"), (.nightly, "nightly"), (.weekly, "weekly"),
        (.fortnightly, "fortnightly"),
        (.fortnightly, "biweekly"), (.monthly, "monthly"), (.quarterly, "quarterly"), (.yearly, "yearly"),
        (.yearly, "annually"),
    ]

    /// Minutes east of Greenwich. The letters say which of the two, so the date does not matter.
    private static let zones: [(String, Int)] = [
        ("utc", 0), ("gmt", 0), ("est", -300), ("edt", -240), ("cst", -360), ("cdt", -300), ("mst", -420),
        ("mdt", -360), ("pst", -480), ("pdt", -420), ("cet", 60), ("cest", 120),
    ]

    private static let verbs = """
        add apply arrange ask assemble back bake book bring build buy call cancel change charge check clean clear
        collect confirm cook deliver deposit do draft drop edit email empty exercise feed file fill find finish
        fix fold follow get give go grab hang help install invite iron join kick learn leave let look mail make
        meet message mop move mow order organize pack paint pay phone pick place plan plant play post practice
        prepare print publish pull purchase put read rebook refill register remember remind remove renew rent
        repair replace reply request reschedule respond return review rotate run schedule scan see sell send
        set ship shop sign sort start stop store study submit sweep switch take talk tell test text think throw
        tidy transfer trim turn unload update upload vacuum visit walk wash watch water wipe work wrap write
        """
}
