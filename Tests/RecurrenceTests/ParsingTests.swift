import Recurrence
import Testing
import Time

@Suite("R-1 What is a rule")
struct ParsingTests {
    @Test(arguments: [
        "FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", "FREQ=MONTHLY;BYMONTHDAY=31",
        "FREQ=MONTHLY;BYDAY=-1FR",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=DAILY;BYHOUR=8;BYMINUTE=30", "FREQ=DAILY;COUNT=5", "FREQ=DAILY;UNTIL=20261231",
        "FREQ=DAILY;UNTIL=20261231T235959Z", "FREQ=DAILY;UNTIL=20261231T180000", "FREQ=WEEKLY;WKST=SU",
        "freq=daily;interval=999", "INTERVAL=2;FREQ=DAILY", "FREQ=MONTHLY;BYMONTHDAY=-1,15",
    ])
    func `the accepted parts are accepted`(_ text: String) throws {
        _ = try RecurrenceRule(text)
    }

    @Test(arguments: [
        ("THIS IS NOT AN RRULE", ""), ("", ""), ("FREQ", ""), ("FREQ=", ""), ("FREQ=DAILY;", ""),
        ("RRULE:FREQ=DAILY", "FREQ"), ("INTERVAL=2", "FREQ"), ("FREQ=HOURLY", "FREQ"),
        ("FREQ=MINUTELY", "FREQ"), ("FREQ=SECONDLY", "FREQ"), ("FREQ=SOMETIMES", "FREQ"),
        ("FREQ=DAILY;FREQ=DAILY", "FREQ"), ("FREQ=DAILY;INTERVAL=0", "INTERVAL"),
        ("FREQ=DAILY;INTERVAL=1000", "INTERVAL"), ("FREQ=DAILY;INTERVAL=-1", "INTERVAL"),
        ("FREQ=DAILY;INTERVAL=99999999999999999999", "INTERVAL"), ("FREQ=DAILY;INTERVAL=1.5", "INTERVAL"),
        ("FREQ=WEEKLY;BYDAY=XX", "BYDAY"), ("FREQ=WEEKLY;BYDAY=MO,", "BYDAY"),
        ("FREQ=WEEKLY;BYDAY=1MO", "BYDAY"),
        ("FREQ=MONTHLY;BYDAY=0MO", "BYDAY"), ("FREQ=YEARLY;BYDAY=54MO", "BYDAY"),
        ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY"), ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY"),
        ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY"), ("FREQ=YEARLY;BYMONTH=13", "BYMONTH"),
        ("FREQ=YEARLY;BYMONTH=-1", "BYMONTH"), ("FREQ=DAILY;BYSETPOS=1", "BYSETPOS"),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0", "BYSETPOS"), ("FREQ=DAILY;BYHOUR=24", "BYHOUR"),
        ("FREQ=DAILY;BYHOUR=8,9", "BYHOUR"), ("FREQ=DAILY;BYHOUR=8;BYMINUTE=60", "BYMINUTE"),
        ("FREQ=DAILY;BYMINUTE=30", "BYMINUTE"), ("FREQ=DAILY;BYSECOND=0", "BYSECOND"),
        ("FREQ=DAILY;BYWEEKNO=1", "BYWEEKNO"), ("FREQ=DAILY;BYYEARDAY=1", "BYYEARDAY"),
        ("FREQ=DAILY;X-OURS=1", "X-OURS"), ("FREQ=DAILY;WKST=1", "WKST"), ("FREQ=DAILY;COUNT=0", "COUNT"),
        ("FREQ=DAILY;COUNT=2;UNTIL=20261231", "UNTIL"), ("FREQ=DAILY;UNTIL=20260230", "UNTIL"),
        ("FREQ=DAILY;UNTIL=2026", "UNTIL"), ("FREQ=DAILY;UNTIL=20261231T25", "UNTIL"),
        ("FREQ=DAILY;UNTIL=20261231T235959+01", "UNTIL"), ("FREQ=DAILY;DTSTART=20260101", "DTSTART"),
    ])
    func `anything else is refused, by the name of its part`(_ text: String, _ part: String) {
        let error = #expect(throws: RecurrenceRuleError.self) { try RecurrenceRule(text) }
        #expect(error?.part == part)
        #expect(error?.message.isEmpty == false)
    }

    @Test func `BYHOUR and BYMINUTE are the time`() throws {
        #expect(try RecurrenceRule("FREQ=DAILY;BYHOUR=8;BYMINUTE=30").time == LocalTime(hour: 8, minute: 30))
        #expect(try RecurrenceRule("FREQ=DAILY;BYHOUR=20").time == LocalTime(hour: 20, minute: 0))
        #expect(try RecurrenceRule("FREQ=DAILY").time == nil)
    }

    @Test(arguments: [
        ("FREQ=DAILY", true), ("FREQ=WEEKLY;INTERVAL=2", true), ("FREQ=WEEKLY;BYDAY=MO", false),
        ("FREQ=DAILY;BYHOUR=8", false), ("FREQ=DAILY;COUNT=3", false), ("FREQ=WEEKLY;WKST=SU", false),
    ])
    func `Q-2 a bare period is a frequency and an interval`(_ text: String, _ bare: Bool) throws {
        #expect(try RecurrenceRule(text).isBarePeriod == bare)
    }
}
