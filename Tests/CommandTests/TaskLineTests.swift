import Command
import JSON
import Testing
import Time

@Suite("A task as a line")
struct TaskLineTests {
    private func line(_ task: JSONValue) throws -> String {
        let zone = try #require(Zone("America/New_York"))
        let now = try #require(Instant(iso8601: "2026-03-08T12:00:00Z", zone: nil))
        return TaskLine(zone: zone, now: now).text(task)
    }

    @Test func `times are local, on both sides of a clock change`() throws {
        // The clocks of New York went from 2:00 to 3:00 on 8 March 2026.
        #expect(
            try line(["id": 7, "title": "before", "due_at": "2026-03-08T06:30:00.000Z", "priority": 3])
                == "     7  *2026-03-08 01:30  high    before")
        #expect(
            try line([
                "id": 1234567, "title": "after", "due_at": "2026-03-08T13:30:00.000Z",
                "labels": ["home", "x"],
            ])
                == "1234567   2026-03-08 09:30          after  @home  @x")
    }

    @Test func `a task without a target is as wide as the others`() throws {
        #expect(try line(["id": 1, "title": "t", "due_at": nil]) == "     1                             t")
    }

    @Test func `a title cannot move the terminal's cursor`() throws {
        #expect(try line(["id": 1, "title": "a\u{1b}[2Jb\nc"]).hasSuffix("a [2Jb c"))
    }
}
