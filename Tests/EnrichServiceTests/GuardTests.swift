import EnrichService
import Interfaces
import Testing

@Suite("Enrich 1.4 Guards")
struct GuardTests {
    typealias Result = EnricherInterface.Result

    struct Case: Sendable, CustomTestStringConvertible {
        var why: String
        var text: String
        var answer: Result
        var expected: Result
        var syntax = "todoist"
        var project: String?
        var hasSchedule = false
        var testDescription: String { why }
    }

    private func check(_ row: Case) {
        let guards = Guards(
            text: row.text, context: .sample(syntax: row.syntax), project: row.project,
            hasSchedule: row.hasSchedule)
        #expect(guards.guarded(row.answer) == row.expected)
    }

    static let labels: [Case] = [
        Case(
            why: "topic alone gives no label", text: "call mom",
            answer: Result(title: "Call mom", labels: ["phone"]),
            expected: Result(title: "Call mom")),
        Case(
            why: "asked for in words", text: "call mom and label it as family",
            answer: Result(title: "Call mom", labels: ["family"]),
            expected: Result(title: "Call mom", labels: ["family"])),
        Case(
            why: "add the … label", text: "call mom, add the phone label",
            answer: Result(title: "Call mom", labels: ["phone"]),
            expected: Result(title: "Call mom", labels: ["phone"])),
        Case(
            why: "behind its mark", text: "call mom @phone",
            answer: Result(title: "Call mom", labels: ["phone", "errands"]),
            expected: Result(title: "Call mom", labels: ["phone"])),
        Case(
            why: "marks compare without blanks and dashes", text: "tape @new-label",
            answer: Result(title: "Tape", labels: ["New label"]),
            expected: Result(title: "Tape", labels: ["New label"])),
        Case(
            why: "vikunja's mark is the asterisk", text: "call mom @phone *errands",
            answer: Result(title: "Call mom", labels: ["phone", "errands"]),
            expected: Result(title: "Call mom", labels: ["errands"]), syntax: "vikunja"),
        Case(
            why: "words knows no marks", text: "call mom @phone",
            answer: Result(title: "Call mom", labels: ["phone"]),
            expected: Result(title: "Call mom"), syntax: "words"),
        Case(
            why: "an address is no mark", text: "write bob@phone.example",
            answer: Result(
                title: "Write bob@phone.example", labels: ["phone"]),
            expected: Result(title: "Write bob@phone.example")),
    ]

    @Test(arguments: labels) func `labels only on request`(_ row: Case) { check(row) }

    static let projects: [Case] = [
        Case(
            why: "topic alone files nothing", text: "buy oat milk",
            answer: Result(title: "Buy oat milk", project: "Shopping List"),
            expected: Result(title: "Buy oat milk")),
        Case(
            why: "a word of the name", text: "buy oat milk, it goes on the shopping list",
            answer: Result(title: "Buy oat milk", project: "Shopping List"),
            expected: Result(title: "Buy oat milk", project: "Shopping List")),
        Case(
            why: "a part of a word is not enough", text: "do the homework",
            answer: Result(title: "Do the homework", project: "Home"),
            expected: Result(title: "Do the homework")),
        Case(
            why: "its mark", text: "buy oat milk #shoppinglist",
            answer: Result(title: "Buy oat milk", project: "Shopping List"),
            expected: Result(title: "Buy oat milk", project: "Shopping List")),
        Case(
            why: "a mere mention moves nothing out of a chosen project", text: "fix the work laptop",
            answer: Result(title: "Fix the work laptop", project: "Work"),
            expected: Result(title: "Fix the work laptop"),
            project: "Home"),
        Case(
            why: "an instruction does", text: "fix the laptop, put it in work",
            answer: Result(title: "Fix the laptop", project: "Work"),
            expected: Result(title: "Fix the laptop", project: "Work"), project: "Home"),
    ]

    @Test(arguments: projects) func `a project must be named`(_ row: Case) { check(row) }

    static let targets: [Case] = [
        Case(
            why: "25 hours ago", text: "x",
            answer: Result(title: "X", target: .init(date: "2026-01-14", time: "09:00")),
            expected: Result(title: "X")),
        Case(
            why: "today at 8, typed at 10", text: "x",
            answer: Result(title: "X", target: .init(date: "2026-01-15", time: "08:00")),
            expected: Result(title: "X", target: .init(date: "2026-01-15", time: "08:00"))),
        Case(
            why: "exactly 24 hours ago", text: "x",
            answer: Result(title: "X", target: .init(date: "2026-01-14", time: "10:00")),
            expected: Result(title: "X", target: .init(date: "2026-01-14", time: "10:00"))),
        Case(
            why: "later than its deadline", text: "x",
            answer: Result(
                title: "X", target: .init(date: "2026-01-21", time: "09:00"),
                deadline: .init(date: "2026-01-20")),
            expected: Result(title: "X", deadline: .init(date: "2026-01-20"))),
        Case(
            why: "on the day of its deadline", text: "x",
            answer: Result(
                title: "X", target: .init(date: "2026-01-20"),
                deadline: .init(date: "2026-01-20", time: "08:00")),
            expected: Result(
                title: "X", target: .init(date: "2026-01-20"),
                deadline: .init(date: "2026-01-20", time: "08:00"))),
    ]

    @Test(arguments: targets) func `a target is not past, and not behind its deadline`(_ row: Case) {
        check(row)
    }

    private static func reminder(_ rule: String?, spans: [EnricherInterface.Span]? = nil) -> Result {
        Result(title: "Stretch", rrule: rule, kind: "reminder", spans: spans)
    }

    static let reminders: [Case] = [
        Case(
            why: "only title, notes, priority and rule stay", text: "stretch label it as phone home",
            answer: Result(
                title: "Stretch", target: .init(date: "2026-01-16"), deadline: .init(date: "2026-01-20"),
                priority: 3,
                rrule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", recurrenceMode: "from_due", labels: ["phone"],
                project: "Home", notes: "n", kind: "reminder", autoSnoozeMinutes: 10),
            expected: Result(
                title: "Stretch", priority: 3, rrule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", notes: "n",
                kind: "reminder")),
        Case(
            why: "19:00 is nearest to Evening", text: "stretch", answer: reminder("FREQ=DAILY;BYHOUR=19"),
            expected: reminder("FREQ=DAILY;BYHOUR=20;BYMINUTE=30")),
        Case(
            why: "a tie goes to the earlier", text: "stretch",
            answer: reminder("FREQ=DAILY;BYHOUR=8;BYMINUTE=0"),
            expected: reminder("FREQ=DAILY;BYHOUR=7;BYMINUTE=0")),
        Case(
            why: "no time: the default period", text: "stretch", answer: reminder("FREQ=WEEKLY;BYDAY=TU"),
            expected: reminder("FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0")),
        Case(
            why: "no rule: the schedule is left alone", text: "stretch", answer: reminder(nil),
            expected: reminder(nil)),
        Case(
            why: "words that say nothing about when leave a schedule alone", text: "stretch",
            answer: reminder("FREQ=DAILY;BYHOUR=9;BYMINUTE=0", spans: []), expected: reminder(nil, spans: []),
            hasSchedule: true),
        Case(
            why: "words that do replace it", text: "stretch daily",
            answer: reminder(
                "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", spans: [.init(start: 8, end: 13, field: "rrule")]),
            expected: reminder(
                "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", spans: [.init(start: 8, end: 13, field: "rrule")]),
            hasSchedule: true),
    ]

    @Test(arguments: reminders) func `a reminder keeps a reminder's shape`(_ row: Case) { check(row) }

    @Test func `a quota keeps title, notes, labels, priority and quota`() {
        check(
            Case(
                why: "", text: "read @phone",
                answer: Result(
                    title: "Read", target: .init(date: "2026-01-16"), deadline: .init(date: "2026-01-20"),
                    priority: 2,
                    rrule: "FREQ=DAILY", recurrenceMode: "from_due", labels: ["phone"], notes: "n",
                    kind: "quota",
                    quota: .init(target: 3, period: .week), autoSnoozeMinutes: 5, estimateMinutes: 10),
                expected: Result(
                    title: "Read", priority: 2, labels: ["phone"], notes: "n", kind: "quota",
                    quota: .init(target: 3, period: .week))))
    }

    private static func kept(_ why: String, _ text: String, _ answer: Result) -> Case {
        Case(why: why, text: text, answer: answer, expected: answer)
    }

    private static func saved(_ why: String, _ text: String, _ answer: Result) -> Case {
        var expected = answer
        expected.notes = answer.notes.map { "\($0)\n\n\(text)" } ?? text
        return Case(why: why, text: text, answer: answer, expected: expected)
    }

    static let facts: [Case] = [
        saved("a number that was dropped", "call 3125550400 today", Result(title: "Call")),
        saved("beside notes that are there", "call 3125550400 today", Result(title: "Call", notes: "soon")),
        kept("a number in the title", "call 3125550400", Result(title: "Call 3125550400")),
        kept("a number in the notes", "call 3125550400", Result(title: "Call", notes: "3125550400")),
        kept("two digits are no fact", "buy 12 eggs", Result(title: "Buy eggs")),
        saved("a link", "read https://example.com/a soon", Result(title: "Read")),
        kept(
            "a link without its full stop", "read https://example.com/a.",
            Result(title: "Read https://example.com/a")),
        saved("an address", "write to ana@example.com", Result(title: "Write")),
        saved("quoted words", "buy \"The Trial\" for Ana", Result(title: "Buy a book")),
        kept("quoted words without their quotes", "buy \"The Trial\"", Result(title: "Buy The Trial")),
        kept(
            "a number in a consumed span", "pay rent 2026-02-03",
            Result(
                title: "Pay rent", target: .init(date: "2026-02-03"),
                spans: [.init(start: 9, end: 19, field: "target")])),
        saved(
            "a number outside of all spans", "pay 1000 friday",
            Result(
                title: "Pay", target: .init(date: "2026-01-16"),
                spans: [.init(start: 9, end: 15, field: "target")])),
        kept(
            "without spans, a number that stands in a date", "pay rent 2026-02-03",
            Result(title: "Pay rent", target: .init(date: "2026-02-03"))),
    ]

    @Test(arguments: facts) func `nothing is dropped`(_ row: Case) { check(row) }
}
