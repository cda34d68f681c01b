import ApiStore
import Domain
import JSON
import TestSupport
import Testing

@Suite("A14 Search")
struct SearchTests {
    private let bench: Bench
    private let ann: Bench.Person

    init() throws {
        bench = try Bench()
        ann = try bench.add()
    }

    private func found(_ text: String, _ more: String = "", as person: Bench.Person? = nil) throws -> [String]
    {
        let answer = try bench.call(
            "GET", "/api/tasks?search=\(Browser.encoded(text))\(more)", as: person ?? ann)
        #expect(answer.status == 200, "\(text): \(answer.body ?? .null)")
        return answer["tasks"].array?.compactMap { $0["title"]?.string } ?? []
    }

    /// The index holds exactly the tasks that there are (FTS5's own check of the words, ours of the rows).
    private func expectSoundIndex() throws {
        #expect(try bench.rows("SELECT rowid FROM task_text EXCEPT SELECT id FROM task") == [])
        #expect(try bench.rows("SELECT id FROM task EXCEPT SELECT rowid FROM task_text") == [])
        try bench.change("INSERT INTO task_text (task_text) VALUES ('integrity-check')")
    }

    @Test func `all words must be there, in title or notes, as beginnings of words`() throws {
        try bench.make("Buy milk", ["notes": "the blue carton"], by: ann)
        try bench.make("Buy bread", by: ann)
        try bench.make("Milkshake recipe", by: ann)
        #expect(try found("milk") == ["Buy milk", "Milkshake recipe"])
        #expect(try found("buy milk") == ["Buy milk"])
        #expect(try found("milk BLUE") == ["Buy milk"])
        #expect(try found("ilk") == [])
        #expect(try found("bu") == ["Buy milk", "Buy bread"])
        #expect(try found("milk bread") == [])
    }

    @Test func `quoted words stay together; a dash excludes`() throws {
        try bench.make("Buy oat milk", by: ann)
        try bench.make("Buy milk and oats", by: ann)
        try bench.make("Oats", ["notes": "milk"], by: ann)
        #expect(try found(#""oat milk""#) == ["Buy oat milk"])
        #expect(try found(#""oat milk"#) == ["Buy oat milk"])
        #expect(try found(#""oat mil""#) == [])
        #expect(try found(#""oats milk""#) == [], "not from the end of one to the beginning of the other")
        #expect(try found("oat -buy") == ["Oats"])
        #expect(try found(#"oat -"oat milk""#) == ["Buy milk and oats", "Oats"])
        #expect(try found("-buy") == ["Oats"])
        #expect(try found(#"-"milk and" -oats"#) == ["Buy oat milk"])
        #expect(try found("-nothing") == ["Buy oat milk", "Buy milk and oats", "Oats"])
    }

    @Test func `without case and diacritics, in any script, symbols too`() throws {
        let all = [
            "Café in Łódź", "ΟΔΟΣ and ЖУК", "牛乳を買う", "Party 🎉 für Zoë", "Straßenbahn 5€", "हिन्दी सीखना",
        ]
        for title in all { try bench.make(title, by: ann) }
        for (text, title) in [
            ("cafe", 0), ("CAFE\u{301}", 0), ("lodz", 0), ("οδος", 1), ("жук", 1), ("乳を", 2), ("買", 2),
            ("🎉", 3), ("zoe FUR", 3), ("strasse", 4), ("€", 4), ("हिन्दी", 5),
        ] {
            #expect(try found(text) == [all[title]], "\(text)")
        }
        #expect(try found("乳牛") == [])
        #expect(try found("🎊") == [])
    }

    @Test(arguments: [
        "", " ", "%", "-", "\"", "\"\"", "- \"", "-\"", "*", "^", ":", "()", "-%", "?!…",
    ])
    func `what asks for no word hides nothing`(_ text: String) throws {
        try bench.make("one", by: ann)
        #expect(try found(text) == ["one"])
    }

    @Test(arguments: [
        "near AND OR NOT", "NEAR(near and)", "title:near", "{title notes}: near", "near*", "near + and",
        "^near",
        "near'", "near\\", "near; DROP TABLE task", "\"near\"\"and\"", "(near", "near)",
        "near^2",
        "rank MATCH near", "near AND", "-(near", "near \"*\" -\"^\"",
    ])
    func `nothing that is typed is an operator`(_ text: String) throws {
        let all = "near near and or not title notes: drop table task, title near 2, rank match near"
        try bench.make(all, by: ann)
        try bench.make("far", by: ann)
        #expect(try found(text) == [text.hasPrefix("-") ? "far" : all])
    }

    @Test func `a thousand words are refused, a word of ten thousand letters is looked for`() throws {
        let many = Array(repeating: "a", count: 101).joined(separator: " ")
        let answer = try bench.call("GET", "/api/tasks?search=\(Browser.encoded(many))", as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: "search")
        let long = String(repeating: "x", count: 10_000)
        try bench.make(long, by: ann)
        #expect(try found(long) == [long])
        #expect(try found(Array(repeating: "x", count: 100).joined(separator: " ")) == [long])
    }

    @Test func `beside all other filters, and only what is visible`() throws {
        let bob = try bench.add("bob")
        let shared = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: bob).id
        try bench.make("milk of bob", by: bob)
        try bench.make("milk for all", ["project_id": .int(shared)], by: bob)
        try bench.make("milk over", ["due_at": .local("09:00")], by: ann)
        try bench.make("milk daily", ["rrule": "FREQ=DAILY"], by: ann)
        try bench.make("milk reminder", ["is_reminder": true], by: ann)
        try bench.make("milk home", ["labels": ["home"], "create_label": true], by: ann)
        try bench.act("done", try bench.make("milk done", by: ann).id, as: ann)
        try bench.trash(try bench.make("milk trashed", by: ann).id, as: ann)
        try bench.make("bread", ["due_at": .local("09:00")], by: ann)

        #expect(
            Set(try found("milk")) == [
                "milk for all", "milk over", "milk daily", "milk reminder", "milk home",
            ])
        #expect(try found("milk", "&overdue=true") == ["milk over"])
        #expect(try found("milk", "&done=true") == ["milk done"])
        #expect(try found("milk", "&trashed=true") == ["milk trashed"])
        #expect(try found("milk", "&recurring=true&kind=task") == ["milk daily"])
        #expect(try found("milk", "&kind=reminder") == ["milk reminder"])
        #expect(try found("milk", "&label=home") == ["milk home"])
        #expect(try found("milk", "&project_id=\(shared)") == ["milk for all"])
        #expect(try found("-milk", "&overdue=true") == ["bread"])
        #expect(try found("milk", "&limit=2&offset=1").count == 2)
    }

    @Test func `what is found moves with its project, and goes with its sharing`() throws {
        let bob = try bench.add("bob")
        let shared = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let id = try bench.make("milk", by: ann).id
        #expect(try found("milk", as: bob) == [])
        try bench.patch(id, ["project_id": .int(shared)], as: ann)
        #expect(try found("milk", as: bob) == ["milk"])
        #expect(try found("milk", as: ann) == ["milk"])
        #expect(try bench.call("PATCH", "/api/projects/\(shared)", ["shared": false], as: ann).status == 200)
        #expect(try found("milk", as: bob) == [])
        #expect(try bench.call("PATCH", "/api/projects/\(shared)", ["shared": true], as: ann).status == 200)
        #expect(try bench.call("DELETE", "/api/projects/\(shared)", as: ann).status == 200)
        #expect(try found("milk", as: bob) == [])
        #expect(try found("milk -bread", "&project_id=\(ann.inbox)", as: ann) == ["milk"])
        try expectSoundIndex()
        // Each has its owner and its place.
        #expect(try bench.rows("SELECT seen FROM task_text") == ["u\(ann.id.rawValue) p\(ann.inbox)"])
    }

    @Test func `the index follows every change, undo, redo and the purge`() throws {
        let id = try bench.make("first", by: ann).id
        #expect(try found("first") == ["first"])
        try bench.patch(id, ["title": "second"], as: ann)
        #expect(try found("first") == [])
        try bench.patch(id, ["notes": "hidden words"], as: ann)
        #expect(try found("second hidden") == ["second"])
        try bench.undo(as: ann)
        #expect(try found("hidden") == [])
        try bench.undo(as: ann)
        #expect(try found("first") == ["first"])
        try bench.redo(as: ann)
        #expect(try found("second") == ["second"])
        try bench.patch(id, ["priority": 2], as: ann)
        #expect(try found("second") == ["second"])
        try expectSoundIndex()

        try bench.trash(id, as: ann)
        bench.advance(seconds: 31 * 86_400)
        try bench.store.write(at: bench.clock) { try $0.purgeTrash(.init()) }
        #expect(try bench.count("task") == 0)
        try expectSoundIndex()
        #expect(try bench.count("task_text") == 0)
    }
}
