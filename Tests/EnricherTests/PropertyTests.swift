import Enricher
import Interfaces
import TestSupport
import Testing

@Suite("Enrich 4.2 Properties of the built-in enricher")
struct PropertyTests {
    private let context = GoldenCase.all[0].context()

    private func read(_ text: String, kind: String = "task") throws -> EnricherInterface.Result {
        try BuiltinEnricher().read(text, kind: kind, context: context)
    }

    /// Rows whose title keeps what was recognised: M, quoted and escaped words, texts that are nothing but fields.
    private static let keepsItsWords: Set<String> = [
        "D1", "O5", "O6", "N2", "N3", "H2", "I4", "I15", "M1", "M2", "M3", "I17",
    ]

    @Test(
        arguments: GoldenCase.all.filter {
            $0.title != nil && !keepsItsWords.contains($0.id) && $0.kind == "task"
        })
    func `reading a title again finds nothing`(_ row: GoldenCase) throws {
        let title = try BuiltinEnricher().read(row.input, kind: "task", context: row.context()).title
        let again = try BuiltinEnricher().read(title, kind: "task", context: row.context())
        #expect(again.title == title)
        #expect(again.goldenFields == [:])
    }

    @Test(
        arguments: GoldenCase.all.filter { $0.id.hasPrefix("A") || $0.id.hasPrefix("L") && $0.fields.isEmpty }
    )
    func `"on friday" behind a plain title sets the target and nothing else`(_ row: GoldenCase) throws {
        let result = try read(row.input + " on friday")
        #expect(result.goldenFields == ["t": "2026-01-16"])
        #expect(result.title == row.title)
    }

    @Test(
        arguments: GoldenCase.all.filter { $0.title != nil && $0.id.first.map { !"NO".contains($0) } == true }
    )
    func `every word of a title is a word of the text`(_ row: GoldenCase) throws {
        func words(_ text: String) -> Set<String> {
            Set(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
        }
        #expect(words(try read(row.input).title).isSubset(of: words(row.input)))
    }

    @Test(arguments: GoldenCase.all.filter { $0.title != nil })
    func `spans lie in order within the text`(_ row: GoldenCase) throws {
        let spans = try BuiltinEnricher().read(row.input, kind: row.kind, context: row.context()).spans ?? []
        #expect(spans.allSatisfy { 0 <= $0.start && $0.start < $0.end && $0.end <= row.input.utf16.count })
        #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.start <= $1.start })
    }

    /// Words that the grammar looks at, signs, numbers, other scripts: what a parser would stumble over.
    private static let pieces: [String] = [
        "every", "day", "other", "friday", "mon", "-", "fri", "the", "1st", "and", "15th", "of", "month",
        "at", "9",
        ":", "30", "am", "pm", "tomorrow", "tonight", "in", "2", "weeks", "from", "by", "due", "before",
        "until", "june",
        "31", "2026", "/", ".", "!", "!!", "high", "priority", "#home", "@phone", "(", ")", "[45m]", "~30m",
        "\"", "“",
        "”", "`", "\\today", "https://a.b/c", "a@b.cd", "/etc/x", "🎂", "明天", "غدا", "é", "e\u{301}",
        "\u{200D}", "\t",
        "\u{0}", "\u{2028}", "\n", "\r\n", "twenty", "first", "last", "last day", "noon", "half past",
        "twice a week",
        "starting", "no auto-snooze", "every!", "remind me to", "um", "or whatever", ",", ";", "&", "{", "}",
        "9999999999",
        "next", "weekend", "urgent", "not urgent", "label it as x", "put it in home", "UTC", "'", "’", "p1",
        "*", "+",
    ]

    @Test(arguments: [1, 2, 3, 4])
    func `no text ends the process, whatever is in it`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 0..<2_500 {
            let count = round % 50 == 0 ? 800 : Int.random(in: 1...14, using: &random)
            var text = ""
            for _ in 0..<count {
                if Int.random(in: 0..<8, using: &random) == 0 {
                    let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
                    text.unicodeScalars.append(scalar ?? " ")
                } else {
                    text += Self.pieces.randomElement(using: &random) ?? ""
                }
                if Bool.random(using: &random) { text += " " }
            }
            guard text.utf8.count <= BuiltinEnricher.maxTextBytes,
                text.utf16.contains(where: { $0 > 0x20 && $0 != 0x3000 && $0 < 0x2000 || $0 > 0x3000 })
            else { continue }
            let kind = ["task", "reminder", "quota", "auto"][round % 4]
            let result = try read(text, kind: kind)
            #expect(
                (1...500).contains(result.title.count),
                "seed \(seed), round \(round): \(text.debugDescription)")
            #expect((0...4).contains(result.priority))
            #expect(!result.title.unicodeScalars.contains { $0.properties.generalCategory == .control })
        }
    }
}
