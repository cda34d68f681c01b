import Domain
import Testing

@Suite("A14 What is typed into a search field")
struct SearchTests {
    struct Case: Sendable {
        var typed: String
        var wanted: [Search.Term] = []
        var excluded: [Search.Term] = []
    }

    @Test(arguments: [
        Case(typed: ""), Case(typed: " \t\n\u{3000}"),
        Case(typed: "milk", wanted: [.init("milk")]),
        Case(typed: "  buy\u{A0}milk ", wanted: [.init("buy"), .init("milk")]),
        Case(typed: #""buy milk" now"#, wanted: [.init("buy milk", isBeginning: false), .init("now")]),
        Case(typed: #""buy milk"now"#, wanted: [.init("buy milk", isBeginning: false), .init("now")]),
        Case(typed: "“buy milk” now", wanted: [.init("buy milk", isBeginning: false), .init("now")]),
        Case(typed: #""buy mi"#, wanted: [.init("buy mi")]),
        Case(typed: #"5"-pipe"#, wanted: [.init("5\"-pipe")]),
        Case(typed: "-milk eggs", wanted: [.init("eggs")], excluded: [.init("milk")]),
        Case(typed: #"-"buy milk""#, excluded: [.init("buy milk", isBeginning: false)]),
        Case(typed: "e-mail", wanted: [.init("e-mail")]),
        Case(typed: "- milk -", wanted: [.init("-"), .init("milk"), .init("-")]),
        Case(typed: "--milk", excluded: [.init("-milk")]),
        Case(typed: #"-""#, excluded: [.init("")]),
        Case(
            typed: "NEAR(a b) title:x^ y*",
            wanted: [.init("NEAR(a"), .init("b)"), .init("title:x^"), .init("y*")]),
    ])
    func `words, quoted words, exclusions; everything else is text`(_ row: Case) {
        let search = Search(row.typed)
        #expect(search.wanted == row.wanted)
        #expect(search.excluded == row.excluded)
        #expect(search.count == row.wanted.count + row.excluded.count)
    }
}
