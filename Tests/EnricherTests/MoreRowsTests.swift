import Enricher
import Interfaces
import Testing

/// Rows beside the golden table, for what 3.3 to 3.6 say and no row of it shows. Same context: Thursday 2026-01-15 10:00.
@Suite("Enrich 3.3 to 3.6 More rows")
struct MoreRowsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var title: String
        var fields: [String: String]
        var testDescription: String { text }

        init(_ text: String, _ title: String, _ fields: [String: String] = [:]) {
            self.text = text
            self.title = title
            self.fields = fields
        }
    }

    static let rows: [Row] = [
        // One time; a second one keeps both words, and the first is used.
        Row(
            "Walk the dog every day at 7am and 6pm", "Walk the dog at 7am and 6pm",
            ["t": "2026-01-16 07:00", "rr": "FREQ=DAILY"]),
        Row("gym mon wed fri 6am", "Gym mon wed fri", ["t": "2026-01-19 06:00"]),
        // Titles of films.
        Row("Watch The Day After Tomorrow", "Watch The Day After Tomorrow"),
        // The last day of a month by name.
        Row("Renew passport by end of june", "Renew passport", ["dl": "2026-06-30"]),
        Row("Renew passport by the end of feb 2028", "Renew passport", ["dl": "2028-02-29"]),
        // Rules that are placed.
        Row(
            "standup weekly on wednesdays at 10am", "Standup",
            ["t": "2026-01-21 10:00", "rr": "FREQ=WEEKLY;BYDAY=WE"]),
        Row(
            "pay rent once a month on the 3rd", "Pay rent",
            ["t": "2026-02-03", "rr": "FREQ=MONTHLY;BYMONTHDAY=3"]),
        Row(
            "review on the second to last friday of every month", "Review",
            ["t": "2026-01-23", "rr": "FREQ=MONTHLY;BYDAY=-2FR"]),
        Row(
            "close the books at 5p on the last of every month", "Close the books",
            ["t": "2026-01-31 17:00", "rr": "FREQ=MONTHLY;BYMONTHDAY=-1"]),
        Row(
            "cabin every other weekend", "Cabin",
            ["t": "2026-01-17", "rr": "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU"]),
        // A deadline's time on the day that was said; parts of the day.
        Row("finish report by tomorrow noon", "Finish report", ["dl": "2026-01-16 12:00"]),
        Row(
            "Pick up package today before 6pm", "Pick up package",
            ["t": "2026-01-15", "dl": "2026-01-15 18:00"]),
        Row("Buy 2 tickets for Saturday night", "Buy 2 tickets", ["t": "2026-01-17 22:00"]),
        // Names that are months.
        Row("Meeting with Dr. May on may 5 at 2pm", "Meeting with Dr. May", ["t": "2026-05-05 14:00"]),
        // Marks beside everything else.
        Row("Review PR #123 asap", "Review PR #123", ["p": "4"]),
        Row(
            "email John tomorrow morning p2 @phone", "Email John",
            ["t": "2026-01-16 09:00", "p": "3", "lab": "phone"]),
    ]

    @Test(arguments: rows)
    func `a text gives its title and its fields`(_ row: Row) throws {
        let result = try BuiltinEnricher().read(row.text, kind: "task", context: GoldenCase.all[0].context())
        #expect(result.title == row.title)
        #expect(result.goldenFields == row.fields)
    }
}
