import EnrichService
import Interfaces
import JSON
import Testing
import Time

@Suite("Enrich 1.3 What an answer may say")
struct AnswerReaderTests {
    private func read(_ json: String, kind: String = "task", text: String = "some text") throws
        -> EnricherInterface.Result
    {
        let asked = EnricherInterface.Enrich.Parameters(
            requestID: "r", attempt: 1, deadlineMs: 1000, kind: kind, text: text, context: .sample())
        return try AnswerReader(try JSONValue(parsing: Array(json.utf8)), asked: asked).read()
    }

    @Test(
        arguments: [
            ("\"2026-01-16\"", "null", "2026-01-16", nil),
            ("\"2026-01-16\"", "\"09:30\"", "2026-01-16", "09:30"),
            ("\"2026-01-16\"", "\"09:30:15\"", "2026-01-16", "09:30"),
            // An offset is cut and the rest read as local.
            ("\"2026-01-16\"", "\"09:30Z\"", "2026-01-16", "09:30"),
            ("\"2026-01-16\"", "\"09:30:00+05:00\"", "2026-01-16", "09:30"),
            ("\"2026-01-16T09:30:00Z\"", "null", "2026-01-16", "09:30"),
            ("\"2026-02-30\"", "null", nil, nil), ("\"2026-01-16\"", "\"25:00\"", nil, nil),
            ("\"1899-12-31\"", "null", nil, nil), ("\"2201-01-01\"", "null", nil, nil),
            ("\"friday\"", "null", nil, nil),
            ("7", "null", nil, nil), ("\"2026-01-16\"", "\"09:30 am\"", nil, nil),
        ] as [(String, String, String?, String?)])
    func `a moment is a real local date, and a time of 24 hours`(
        _ date: String, _ time: String, _ expectedDate: String?, _ expectedTime: String?
    ) throws {
        let result = try read("{\"title\":\"x\",\"target\":{\"date\":\(date),\"time\":\(time)}}")
        #expect(result.target?.date == expectedDate)
        #expect(result.target?.time == expectedTime)
    }

    @Test(
        arguments: [
            ("FREQ=DAILY", "FREQ=DAILY"), ("RRULE:FREQ=DAILY;INTERVAL=1", "FREQ=DAILY"),
            ("INTERVAL=2;FREQ=WEEKLY;BYDAY=FR,MO", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR"),
            // Filled in from the target, 2026-01-16, a Friday.
            ("FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=FR"), ("FREQ=MONTHLY", "FREQ=MONTHLY;BYMONTHDAY=16"),
            ("FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYDAY=-1FR"),
            ("FREQ=MONTHLY;BYMONTHDAY=15,1,-1", "FREQ=MONTHLY;BYMONTHDAY=1,15,-1"),
            ("FREQ=YEARLY;BYMONTHDAY=9;BYMONTH=3", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=9"),
            ("FREQ=WEEKLY;BYDAY=1MO", nil), ("FREQ=HOURLY", nil), ("FREQ=DAILY;COUNT=3", nil),
            ("FREQ=DAILY;UNTIL=20270101T000000Z", nil), ("FREQ=DAILY;INTERVAL=1000", nil),
            ("FREQ=DAILY;INTERVAL=0", nil),
            ("FREQ=MONTHLY;BYMONTHDAY=32", nil), ("FREQ=MONTHLY;BYMONTHDAY=0", nil),
            ("FREQ=YEARLY;BYMONTH=13", nil),
            // Times of day are for reminders.
            ("FREQ=DAILY;BYHOUR=9", nil), ("every day", nil), ("", nil), ("FREQ=DAILY;FREQ=WEEKLY", nil),
            ("DTSTART:20260101\nRRULE:FREQ=DAILY", nil),
        ] as [(String, String?)])
    func `a rule is of the subset, in canonical order`(_ rule: String, _ expected: String?) throws {
        let escaped = rule.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
        let result = try read(
            "{\"title\":\"x\",\"target\":{\"date\":\"2026-01-16\"},\"rrule\":\"\(escaped)\"}")
        #expect(result.rrule == expected)
    }

    @Test func `without a target a rule's day is the week's and the month's first`() throws {
        #expect(try read("{\"title\":\"x\",\"rrule\":\"FREQ=WEEKLY\"}").rrule == "FREQ=WEEKLY;BYDAY=MO")
        #expect(try read("{\"title\":\"x\",\"rrule\":\"FREQ=MONTHLY\"}").rrule == "FREQ=MONTHLY;BYMONTHDAY=1")
    }

    @Test func `a mode needs a rule`() throws {
        let mode = "\"recurrence_mode\":\"from_completion\""
        #expect(try read("{\"title\":\"x\",\(mode)}").recurrenceMode == nil)
        #expect(
            try read("{\"title\":\"x\",\"rrule\":\"FREQ=DAILY\",\(mode)}").recurrenceMode == "from_completion"
        )
        #expect(
            try read("{\"title\":\"x\",\"rrule\":\"FREQ=DAILY\",\"recurrence_mode\":\"odd\"}").recurrenceMode
                == nil)
    }

    @Test(arguments: [
        ("-1", 0), ("0", 0), ("4", 4), ("5", 0), ("2.0", 2), ("2.5", 0), ("\"3\"", 0), ("null", 0),
    ])
    func `a priority is 0 to 4`(_ value: String, _ expected: Int) throws {
        #expect(try read("{\"title\":\"x\",\"priority\":\(value)}").priority == expected)
    }

    @Test func `labels are trimmed, unique, ten at most, none of the system's`() throws {
        let labels =
            ["\" a \"", "\"A\"", "\"ai-failed\"", "\"\"", "7", "\"\(String(repeating: "l", count: 51))\""]
            + (0..<20).map { "\"n\($0)\"" }
        let result = try read("{\"title\":\"x\",\"labels\":[\(labels.joined(separator: ","))]}")
        #expect(result.labels == ["a"] + (0..<9).map { "n\($0)" })
    }

    @Test func `a project is one of the request's, as it is written there, and never the Inbox`() throws {
        #expect(try read("{\"title\":\"x\",\"project\":\"shopping LIST\"}").project == "Shopping List")
        #expect(try read("{\"title\":\"x\",\"project\":\"Elsewhere\"}").project == nil)
        #expect(try read("{\"title\":\"x\",\"project\":\"Inbox\"}").project == nil)
    }

    @Test func `notes are cut between characters at 20,000 bytes`() throws {
        let notes = String(repeating: "é", count: 10_001)
        #expect(
            try read("{\"title\":\"x\",\"notes\":\"a\(notes)\"}").notes == "a"
                + String(repeating: "é", count: 9_999))
    }

    @Test func `a kind differs from what was asked only if that was auto`() throws {
        #expect(try read("{\"title\":\"x\",\"kind\":\"quota\"}").kind == "task")
        #expect(try read("{\"title\":\"x\",\"kind\":\"quota\"}", kind: "auto").kind == "quota")
        #expect(try read("{\"title\":\"x\",\"kind\":\"song\"}", kind: "auto").kind == "task")
    }

    @Test(arguments: [("0", 0), ("1440", 1440), ("1441", nil), ("-1", nil)] as [(String, Int?)])
    func `auto-snooze is up to a day, and 0 is not null`(_ value: String, _ expected: Int?) throws {
        #expect(try read("{\"title\":\"x\",\"auto_snooze_minutes\":\(value)}").autoSnoozeMinutes == expected)
    }

    @Test func `spans lie within the text`() throws {
        let spans =
            "[{\"start\":0,\"end\":4,\"field\":\"target\"},{\"start\":5,\"end\":99,\"field\":\"x\"},{\"start\":4,\"end\":4,\"field\":\"x\"},7]"
        #expect(
            try read("{\"title\":\"x\",\"spans\":\(spans)}", text: "some").spans == [
                .init(start: 0, end: 4, field: "target")
            ])
    }
}
