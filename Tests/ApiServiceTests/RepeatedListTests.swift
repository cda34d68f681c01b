import JSON
import Testing

@Suite("A14 Lists of tasks that were listed before")
struct RepeatedListTests {
    /// What a list says of each item, against what A17 says of it: that reads the row anew each time.
    private func expectFresh(_ bench: Bench, _ person: Bench.Person, after what: String) throws {
        let listed = try bench.call("GET", "/api/tasks", as: person)["tasks"].array ?? []
        #expect(!listed.isEmpty)
        for item in listed {
            let id = try #require(item["id"]?.int)
            #expect(try bench.get(id, as: person).data == item, "after \(what)")
        }
    }

    @Test func `every change shows in the next list`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let daily = try bench.make("daily", ["rrule": "FREQ=DAILY", "due_at": .local("09:00")], by: ann).id
        let once = try bench.make("once", ["due_at": .local("11:00")], by: ann).id
        try expectFresh(bench, ann, after: "making")
        try expectFresh(bench, ann, after: "nothing")
        try bench.patch(once, ["title": "renamed", "priority": 3], as: ann)
        try expectFresh(bench, ann, after: "an edit")
        try bench.act("snooze", once, ["until": .local("15:00")], as: ann)
        try expectFresh(bench, ann, after: "a snooze")
        try bench.act("done", daily, as: ann)
        try expectFresh(bench, ann, after: "a completion")
        try bench.undo(as: ann)
        try expectFresh(bench, ann, after: "an undo")
        try bench.redo(as: ann)
        try expectFresh(bench, ann, after: "a redo")
    }

    @Test func `R-15, R-17: the next occurrence follows the owner into another zone`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        try bench.make("daily", ["rrule": "FREQ=DAILY", "due_at": .local("09:00")], by: ann)
        func next() throws -> JSONValue? {
            try bench.call("GET", "/api/tasks", as: ann)["tasks"].array?.first?["next_occurrence"]
        }
        #expect(try next() == .local("10-15 09:00"))
        try bench.change("UPDATE user SET timezone = 'Europe/Berlin'")
        // 09:00 in Berlin is 07:00 UTC; the target was 14:00 UTC of the day before.
        #expect(try next() == "2026-10-15T07:00:00.000Z")
        try expectFresh(bench, ann, after: "a move")
    }

    /// Two names of one state would let a version that was rolled back come again with other words.
    @Test func `a change that is refused leaves nothing in a list`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("as it was", by: ann).id
        try expectFresh(bench, ann, after: "making")
        #expect(
            try bench.call("PATCH", "/api/tasks/\(id)", ["title": "", "priority": 2], as: ann).status == 400)
        try expectFresh(bench, ann, after: "a refusal")
        try bench.patch(id, ["title": "as it is"], as: ann)
        try expectFresh(bench, ann, after: "an edit")
    }
}
