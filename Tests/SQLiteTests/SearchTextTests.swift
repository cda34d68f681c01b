import SQLite
import TestSupport
import Testing

@Suite("Words for FTS5")
struct SearchTextTests {
    private let folder = TemporaryFolder()

    /// What the tokenizer itself makes of a text.
    private func tokens(_ text: String) throws -> [String] {
        let database = try Database(path: folder.file("test.db"))
        try database.execute(
            """
            CREATE VIRTUAL TABLE t USING fts5(a, tokenize="\(SearchText.tokenizer)");
            CREATE VIRTUAL TABLE v USING fts5vocab(t, instance);
            """)
        try database.run("INSERT INTO t VALUES (search_text(?))", [.text(text)])
        return try database.query("SELECT term FROM v ORDER BY offset") { $0.text(0) }
    }

    @Test(
        arguments: [
            ("Buy  milk!", ["buy", "milk"]), ("Café cafe\u{301} CAFÉ", ["cafe", "cafe", "cafe"]),
            ("Ếch Łódź Straße Ærø", ["ech", "lodz", "strasse", "aero"]),
            ("ΟΔΟΣ οδός", ["οδοσ", "οδοσ"]), ("ЖУК Ёлка й", ["жук", "елка", "й"]), ("हिन्दी", ["हिन्दी"]),
            ("牛乳を買う", ["牛", "乳", "を", "買", "う"]), ("ไป", ["ไ", "ป"]), ("한국어", ["한국어"]),
            ("a\u{0}b\"c*d^e:f(g)", ["a", "b", "c", "d", "e", "f", "g"]),
            ("🎉party ❤️", ["\u{E000}1f389", "party", "\u{E000}2764"]),
            ("1 € → 2", ["1", "\u{E000}20ac", "\u{E000}2192", "2"]),
            // Georgian capital and Vithkuqi: letters of Unicode 11 and 14.
            ("\u{1C90}\u{10570}", ["\u{E000}1c90", "\u{E000}10570"]), ("\u{E000}", ["\u{E000}e000"]),
            ("", []), ("%_-\"'", []),
        ] as [(String, [String])])
    func `each becomes the words that people see in it`(_ text: String, _ words: [String]) throws {
        #expect(try tokens(text) == words)
        #expect(SearchText(text).hasWords == !words.isEmpty)
    }

    @Test func `whatever a text holds, its words are said to be there exactly when the tokenizer finds some`()
        throws
    {
        let database = try Database(path: folder.file("test.db"))
        try database.execute(
            "CREATE VIRTUAL TABLE t USING fts5(a, tokenize=\"\(SearchText.tokenizer)\")")
        var wrong: [String] = []
        // Every scalar of the planes that have any, as a question of its own.
        try database.execute("BEGIN")
        for value in UInt32(0)...0x3FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = SearchText(String(scalar))
            guard text.hasWords else { continue }
            try database.run(
                "INSERT INTO t (rowid, a) VALUES (?, ?)", [.int(Int64(value)), .text(text.text)])
        }
        try database.execute("COMMIT")
        try database.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)")
        let found = Set(try database.query("SELECT DISTINCT doc FROM v") { $0.int(0) })
        for id in try database.query("SELECT rowid FROM t", row: { $0.int(0) }) where !found.contains(id) {
            wrong.append(String(id, radix: 16))
        }
        #expect(wrong == [])
    }
}
