internal import Interfaces

/// Five rows of docs/spec/enrich.md, 3.8, asked of an enricher before it is used (2.3). Another reading is a warning,
/// not a refusal: a model may word a title in its own way.
enum SelfTest {
    private struct Row {
        var text: String
        var expected: EnricherInterface.Result
    }

    private static let rows = [
        Row(text: "Buy milk", expected: .init(title: "Buy milk")),
        Row(text: "pay rent friday", expected: .init(title: "Pay rent", target: .init(date: "2026-01-16"))),
        Row(
            text: "submit report by friday 5pm",
            expected: .init(title: "Submit report", deadline: .init(date: "2026-01-16", time: "17:00"))),
        Row(
            text: "standup every weekday 9:30am",
            expected: .init(
                title: "Standup", target: .init(date: "2026-01-16", time: "09:30"),
                rrule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")),
        Row(text: "Call Sam p1", expected: .init(title: "Call Sam", priority: 4)),
    ]

    /// A Thursday.
    private static let context = EnricherInterface.Context(
        nowLocal: "2026-01-15T10:00", timeZone: "America/Chicago", utcOffsetMinutes: -360,
        weekStart: "monday",
        dateOrder: "mdy", projects: [.init(name: "Inbox", shared: false)])

    /// What the enricher reads differently, a sentence each.
    static func differences(_ lane: Lane) throws(Failure) -> [String] {
        var differences: [String] = []
        for (i, row) in rows.enumerated() {
            let reading = try lane.ask(
                .init(
                    requestID: "test-\(i)", attempt: 1, deadlineMs: 60_000, kind: "task", text: row.text,
                    context: context))
            let result = Guards(text: row.text, context: context).guarded(reading.result)
            differences += compare(result, row.expected).map { "\"\(row.text)\": \($0)" }
        }
        return differences
    }

    private static func compare(_ result: EnricherInterface.Result, _ expected: EnricherInterface.Result)
        -> [String]
    {
        func text(_ moment: EnricherInterface.Moment?) -> String {
            moment.map { [$0.date, $0.time].compactMap { $0 }.joined(separator: " ") } ?? "none"
        }
        let fields = [
            ("title", result.title.lowercased(), expected.title.lowercased()),
            ("target", text(result.target), text(expected.target)),
            ("deadline", text(result.deadline), text(expected.deadline)),
            ("priority", "\(result.priority)", "\(expected.priority)"),
            ("rule", result.rrule ?? "none", expected.rrule ?? "none"),
        ]
        return fields.filter { $0.1 != $0.2 }.map { "\($0.0) is \($0.1), expected \($0.2)" }
    }
}
