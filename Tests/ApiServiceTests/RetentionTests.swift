import ApiStore
import Daemon
import Domain
import Interfaces
import JSON
import Testing
import Time
import Varlink

@Suite("C-12, A-10, U-10 Retention")
struct RetentionTests {
    private func house(_ environment: [String: String] = [:]) throws -> (Bench, Door, Bench.Person) {
        let bench = try Bench(environment)
        return (bench, try Door(bench), try bench.add())
    }

    private func purge(_ door: Door) throws {
        _ = try door.client.call(ClockInterface.Purge.self, .init())
    }

    @Test func `after 30 days trash, undo and completions go, each to the second, and open pages are told`()
        throws
    {
        let (bench, door, ann) = try house()
        let done = try bench.make("done", by: ann).id
        try bench.act("done", done, as: ann)
        let gone = try bench.make("gone", by: ann).id
        try bench.act("done", gone, as: ann)
        try bench.trash(gone, as: ann)
        let open = try bench.make("open", by: ann).id
        bench.advance(seconds: 30 * 86_400)
        try purge(door)
        #expect(try bench.count("task") == 3)
        #expect(try bench.count("completion") == 2)
        #expect(try bench.count("undo") == 6)
        #expect(try bench.count("event") == 0, "nothing went, nobody is told")

        bench.advance(seconds: 1)
        try purge(door)
        #expect(try bench.rows("SELECT title FROM task ORDER BY id") == ["done", "open"])
        #expect(try bench.count("completion") == 0)
        #expect(try bench.count("undo") == 0, "and no entry for the purge itself")
        #expect(try bench.rows("SELECT DISTINCT data FROM event") == [#"{"type":"sync"}"#])
        #expect(try bench.rows("SELECT completions FROM statistic") == ["2"], "statistics stay")
        #expect(try bench.item(done).done, "the archive stays")
        #expect(try bench.item(open).isOpen)
        expectRefused(try bench.call("POST", "/api/undo", as: ann), 400, "VALIDATION_ERROR")
        #expect(try bench.get(gone, as: ann).status == 404)
    }

    @Test func `a purge never clears a redo stack, and an entry whose task went with the trash is skipped`()
        throws
    {
        let (bench, door, ann) = try house(["OPENTASK_RETENTION_UNDO_DAYS": "0"])
        let kept = try bench.make("kept", by: ann).id
        let gone = try bench.make("gone", by: ann).id
        try bench.patch(gone, ["priority": 1], as: ann)
        try bench.trash(gone, as: ann)
        try bench.patch(kept, ["priority": 1], as: ann)
        try bench.undo(as: ann)
        bench.advance(seconds: 31 * 86_400)
        try purge(door)
        #expect(try bench.count("task") == 1)
        try bench.redo(as: ann)
        #expect(try bench.item(kept).priority == .low)
        for _ in 1...5 { try bench.undo(as: ann) }
        #expect(try bench.item(kept).deletedAt != nil)
    }

    @Test func `0 keeps for ever; other numbers are taken at their word`() throws {
        let (bench, door, ann) = try house([
            "OPENTASK_RETENTION_TRASH_DAYS": "0", "OPENTASK_RETENTION_COMPLETIONS_DAYS": "1",
            "OPENTASK_RETENTION_STATS_DAYS": "2",
        ])
        let id = try bench.make(by: ann).id
        try bench.act("done", id, as: ann)
        try bench.trash(id, as: ann)
        bench.advance(seconds: 86_401)
        try purge(door)
        #expect(try bench.count("completion") == 0)
        #expect(try bench.count("statistic") == 1)
        bench.advance(seconds: 1000 * 86_400)
        try purge(door)
        #expect(try bench.count("task") == 1)
        #expect(try bench.count("statistic") == 0)
    }

    @Test(arguments: ["-1", "x", "36501"])
    func `what is no number of days is refused at the start`(_ days: String) {
        #expect(throws: ConfigurationError.self) { try Bench(["OPENTASK_RETENTION_TRASH_DAYS": days]) }
    }
}
