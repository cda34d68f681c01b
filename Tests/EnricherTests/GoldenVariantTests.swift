import Enricher
import Interfaces
import Testing

@Suite("Enrich 3.8 Golden cases, extra cases by construction")
struct GoldenVariantTests {
    private static let rows = GoldenCase.all.filter { $0.title != nil }

    private func fields(_ text: String, _ row: GoldenCase, zone: String? = nil, offset: Int? = nil) throws
        -> [String: String]
    {
        try BuiltinEnricher().read(text, kind: row.kind, context: row.context(zone: zone, offset: offset))
            .goldenFields
    }

    @Test(arguments: rows)
    func `blanks around, doubled blanks and CRLF change no field`(_ row: GoldenCase) throws {
        let doubled = row.input.split(separator: " ", omittingEmptySubsequences: false).joined(
            separator: "  ")
        #expect(try fields("  \(row.input)\t ", row) == row.fields)
        #expect(try fields(doubled, row)["notes"]?.isEmpty != true)
        #expect(
            try fields(doubled, row).filter { $0.key != "notes" } == row.fields.filter { $0.key != "notes" })
        let crlf = row.input.split(separator: "\n", omittingEmptySubsequences: false).joined(
            separator: "\r\n")
        #expect(try fields(crlf + "\r\n", row) == row.fields)
    }

    @Test(arguments: rows.filter { !$0.input.contains("\n") })
    func `a full stop at the end changes no field`(_ row: GoldenCase) throws {
        #expect(try fields(row.input + ".", row) == row.fields)
    }

    /// Without D19 (UTC) and the rows that bring a zone of their own.
    @Test(
        arguments: rows.filter { $0.id != "D19" && $0.overrides["zone"] == nil },
        [("UTC", 0), ("Asia/Kolkata", 330), ("Pacific/Auckland", 780)])
    func `wall results are the same in any zone`(_ row: GoldenCase, zone: (String, Int)) throws {
        #expect(try fields(row.input, row, zone: zone.0, offset: zone.1) == row.fields)
    }

    @Test func `600 letters become a title of 500 characters, the whole text goes into notes`() throws {
        let text = String(repeating: "a", count: 600)
        let result = try BuiltinEnricher().read(text, kind: "task", context: GoldenCase.all[0].context())
        #expect(result.title.count == 500)
        #expect(result.title.hasSuffix("…"))
        #expect(result.notes == text)
    }

    @Test func `a first sentence becomes the title of a long text, the rest goes into notes`() throws {
        let first = "Call the landlord about the broken heating."
        let rest = String(repeating: "He said it would be mended soon and it was not. ", count: 6)
        let text = first + " " + rest
        let result = try BuiltinEnricher().read(text, kind: "task", context: GoldenCase.all[0].context())
        #expect(result.title == first)
        #expect(result.notes == rest.split(separator: " ").joined(separator: " "))
    }

    @Test func `10,001 bytes are TextTooLong, blanks alone are TextEmpty, other kinds are unsupported`() {
        let context = GoldenCase.all[0].context()
        #expect(throws: BuiltinEnricher.Refusal.textTooLong(maxBytes: 10_000)) {
            try BuiltinEnricher().read(String(repeating: "a", count: 10_001), kind: "task", context: context)
        }
        #expect(throws: BuiltinEnricher.Refusal.textEmpty) {
            try BuiltinEnricher().read("   ", kind: "task", context: context)
        }
        #expect(throws: BuiltinEnricher.Refusal.unsupportedKind("song")) {
            try BuiltinEnricher().read("Buy milk", kind: "song", context: context)
        }
    }

    @Test func `the main job's line gives title, target, priority and project`() throws {
        let text = "Call the plumber tomorrow at 9am !high #home"
        let result = try BuiltinEnricher().read(text, kind: "task", context: GoldenCase.all[0].context())
        #expect(result.title == "Call the plumber")
        #expect(result.goldenFields == ["t": "2026-01-16 09:00", "p": "3", "proj": "Home"])
    }
}
