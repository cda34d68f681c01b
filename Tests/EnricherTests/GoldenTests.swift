import Enricher
import Interfaces
import Testing

@Suite("Enrich 3.8 Golden cases")
struct GoldenTests {
    private static let readable = GoldenCase.all.filter { $0.title != nil }

    @Test func `the specification has 223 rows`() {
        #expect(GoldenCase.all.count == 223)
    }

    @Test(arguments: readable)
    func `a text gives its title and its fields`(_ row: GoldenCase) throws {
        let result = try BuiltinEnricher().read(row.input, kind: row.kind, context: row.context())
        #expect(result.title == row.title)
        #expect(result.goldenFields == row.fields)
    }
}
