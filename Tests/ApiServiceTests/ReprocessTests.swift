import ApiStore
import Domain
import JSON
import Testing
import Time

@Suite("A27 Reading a text again")
struct ReprocessTests {
    private func again(_ bench: Bench, _ id: Int64, as person: Bench.Person) throws -> Answer {
        try bench.call("POST", "/api/tasks/\(id)/reprocess", as: person)
    }

    /// A task whose text could not be read.
    private func failed(_ bench: Bench, by person: Bench.Person) throws -> Int64 {
        let id = try bench.make("Call Eve tomorrow", by: person).id
        try bench.patch(id, ["labels": ["ai-failed"]], as: person)
        return id
    }

    @Test func `enrich 1.1, 1.5: the text as first typed is in the queue again, from the first attempt on`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try failed(bench, by: ann)
        try bench.patch(id, ["title": "Call Eve"], as: ann)
        let answer = try again(bench, id, as: ann)
        #expect(answer.status == 200 && answer["labels"] == ["ai-to-process"])
        #expect(
            try bench.rows("SELECT text || '|' || is_rerun || '|' || attempt || '|' || state FROM job") == [
                "Call Eve tomorrow|1|0|pending"
            ])
        #expect(
            try bench.rows("SELECT action || '|' || description FROM undo ORDER BY id DESC LIMIT 1") == [
                "edit|Read \"Call Eve\" again"
            ])
        // Asked for once, it waits: a second time there is nothing that failed.
        expectRefused(try again(bench, id, as: ann), 400, "VALIDATION_ERROR")

        try bench.undo(as: ann)
        #expect(try bench.get(id, as: ann)["labels"] == ["ai-failed"])
        #expect(try bench.count("job") == 0)
    }

    @Test func `A27: only what failed, and is open, and may be read`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let plain = try bench.make(by: ann).id
        let trashed = try failed(bench, by: ann)
        try bench.trash(trashed, as: ann)
        let done = try failed(bench, by: ann)
        try bench.act("done", done, as: ann)
        let locked = try failed(bench, by: ann)
        try bench.patch(locked, ["labels": ["ai-failed", "ai-locked"]], as: ann)
        for id in [plain, trashed, done, locked] {
            expectRefused(try again(bench, id, as: ann), 400, "VALIDATION_ERROR")
        }
        expectRefused(try again(bench, try failed(bench, by: ann), as: bob), 404, "NOT_FOUND")
        #expect(try bench.count("job") == 0)
    }
}
