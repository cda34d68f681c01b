import Domain
import Interfaces
import JSON
import Testing

@Suite("A33 Many into the trash")
struct BulkDeleteTests {
    private let path = "/api/tasks/bulk/delete"

    @Test func `C-10, U-1: they go together and come back together; those already there are left out`() throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try (1...3).map { try bench.make("Task \($0)", ["due_at": .local("09:00")], by: ann).id }
        let done = try bench.make("Done", by: ann).id
        try bench.act("done", done, as: ann)
        let before = try bench.trash(ids[0], as: ann)["deleted_at"]
        try bench.take()
        bench.at("10:30")
        let answer = try bench.call("POST", path, ["ids": .ids(ids + [done])], as: ann)
        #expect(answer.status == 200 && answer.data == ["tasks_affected": 3])
        #expect(try bench.get(ids[0], as: ann)["deleted_at"] == before)
        for id in [ids[1], ids[2], done] {
            #expect(try bench.get(id, as: ann)["deleted_at"] == .local("10:30"))
        }
        #expect(try bench.outbox().compactMap(\.badge) == [0])
        #expect(Set(try bench.outbox().compactMap(\.dismiss?.taskIDs).joined()).isSuperset(of: ids[1...]))
        #expect(
            try bench.rows("SELECT action || '|' || description FROM undo ORDER BY id DESC LIMIT 1") == [
                "bulk_delete|Deleted 3 tasks"
            ])
        let undone = try bench.undo(as: ann)
        #expect(undone["undone_action"] == "bulk_delete" && undone["tasks_affected"] == 3)
        #expect(try bench.get(ids[1], as: ann)["deleted_at"] == .null)
        #expect(try bench.get(done, as: ann)["done"] == true)
        #expect(try bench.get(ids[0], as: ann)["deleted_at"] == before)
        try bench.redo(as: ann)
        let entries = try bench.count("undo")
        let again = try bench.call("POST", path, ["ids": .ids(ids)], as: ann)
        #expect(again.data == ["tasks_affected": 0])
        #expect(try bench.count("undo") == entries)
    }

    @Test func `A-5, 1.13: an id that is not the caller's refuses the whole call`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let own = try bench.make(by: ann).id
        let foreign = try bench.make(by: bob).id
        let refused = try bench.call("POST", path, ["ids": .ids([own, foreign])], as: ann)
        expectRefused(refused, 400, "VALIDATION_ERROR", culprit: "ids.1")
        #expect(try bench.get(own, as: ann)["deleted_at"] == .null)
        expectRefused(
            try bench.call("POST", path, ["ids": []], as: ann), 400, "VALIDATION_ERROR", culprit: "ids")
        expectRefused(try bench.call("POST", path, as: ann), 400, "VALIDATION_ERROR")
        #expect(try bench.call("DELETE", path, as: ann).status == 405)
    }

    @Test func `enrich 1.1: nobody reads the texts of what was thrown away`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try (1...2).map { try bench.make("Call \($0)", ["enrich": true], by: ann).id }
        #expect(try bench.count("job") == 2)
        _ = try bench.call("POST", path, ["ids": .ids(ids)], as: ann)
        #expect(try bench.count("job") == 0)
        try bench.undo(as: ann)
        #expect(try bench.get(ids[0], as: ann)["labels"] == [])
    }
}
