import Enricher
import FoundationEssentials
import Interfaces
import Testing

/// One row of docs/spec/enrich.md, 3.8: the specification's own table is the test's.
struct GoldenCase: Sendable, CustomTestStringConvertible {
    var id: String
    var input: String
    /// `now=2026-01-16T01:00 Asia/Tokyo`, `kind=quota`, `default=Evening` …
    var overrides: [String: String]
    /// Markdown code quotes removed; nil: the row expects TextEmpty.
    var title: String?
    /// `t`, `dl`, `rr` … as written.
    var fields: [String: String]

    var testDescription: String { id }

    var kind: String {
        if let kind = overrides["kind"] { return kind }
        return id.hasPrefix("J") ? "reminder" : "task"
    }

    /// The context above the table, with the row's overrides.
    func context(zone: String? = nil, offset: Int? = nil) -> EnricherInterface.Context {
        typealias Period = EnricherInterface.Period
        let projects = ["Inbox", "Work", "Home", "Shopping List", "Job Search", "Family"]
        return EnricherInterface.Context(
            nowLocal: overrides["now"] ?? "2026-01-15T10:00",
            timeZone: zone ?? overrides["zone"] ?? "America/Chicago", utcOffsetMinutes: offset ?? -360,
            weekStart: overrides["week_start"] ?? "monday", dateOrder: overrides["date_order"] ?? "mdy",
            quickAddSyntax: overrides["syntax"] ?? "todoist",
            projects: projects.map { EnricherInterface.Project(name: $0, shared: false) },
            labels: ["errands", "waiting", "phone"],
            periods: [
                Period(label: "Early morning", start: "07:00"), Period(label: "Morning", start: "09:00"),
                Period(label: "Midday", start: "12:00"), Period(label: "Afternoon", start: "16:00"),
                Period(label: "Evening", start: "20:30"),
            ],
            defaultPeriod: overrides["default"] ?? "Morning")
    }

    static let all: [GoldenCase] = {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/spec/enrich.md")
        // A missing page must fail the count below, not be an empty table that passes.
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { GoldenCase(row: String($0)) }
    }()

    /// A row `| A1 | ``text`` [override] | title | fields |`; nil for any other line.
    init?(row: String) {
        let cells = row.components(separatedBy: " | ")
        guard cells.count == 4, row.hasPrefix("| "), let id = cells.first?.dropFirst(2), id.count >= 2,
            id.first?.isUppercase == true, Int(id.dropFirst()) != nil
        else { return nil }
        self.id = String(id)
        let parts = cells[1].components(separatedBy: "``")
        if parts.count >= 3 {
            input = parts[1].components(separatedBy: "⏎").joined(separator: "\n")
            overrides = GoldenCase.overrides(parts[2])
        } else {
            input = "   "  // O8, "(three spaces)"
            overrides = [:]
        }
        let title = cells[2].components(separatedBy: "``").joined()
        self.title = title.hasPrefix("error ") ? nil : title
        fields = [:]
        let last = cells[3].dropLast(cells[3].hasSuffix(" |") ? 2 : 0)
        for part in String(last).components(separatedBy: " · ") where part != "—" {
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            if pair.count == 2 {
                fields[pair[0]] = pair[1].components(separatedBy: "⏎").joined(separator: "\n")
            }
        }
    }

    private static func overrides(_ text: String) -> [String: String] {
        guard let open = text.firstIndex(of: "["), let close = text.lastIndex(of: "]") else { return [:] }
        var found: [String: String] = [:]
        for word in text[text.index(after: open)..<close].split(separator: " ") {
            let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
            if pair.count == 2 { found[pair[0]] = pair[1] } else { found["zone"] = pair[0] }
        }
        // [default=Early morning]: a value of two words.
        if text.contains("default=Early morning") { found["default"] = "Early morning" }
        return found
    }
}

extension EnricherInterface.Result {
    /// The fields of the result as the table writes them.
    var goldenFields: [String: String] {
        var fields: [String: String] = [:]
        func moment(_ moment: EnricherInterface.Moment?) -> String? {
            moment.map { $0.date + ($0.time.map { " \($0)" } ?? "") }
        }
        fields["t"] = moment(target)
        fields["dl"] = moment(deadline)
        fields["rr"] = rrule
        fields["mode"] = recurrenceMode
        fields["snz"] = autoSnoozeMinutes.map(String.init)
        fields["est"] = estimateMinutes.map(String.init)
        fields["p"] = priority == 0 ? nil : String(priority)
        fields["lab"] = labels.isEmpty ? nil : labels.joined(separator: ",")
        fields["proj"] = project
        fields["kind"] = kind == "task" ? nil : kind
        fields["quota"] = quota.map { "\($0.target)/\($0.period.rawValue)" }
        fields["notes"] = notes
        return fields
    }
}
