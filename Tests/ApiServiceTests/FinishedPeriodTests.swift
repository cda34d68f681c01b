import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("N-40 A finished period's notification goes away")
struct FinishedPeriodTests {
    /// The periods that the waiting dismissals name, oldest message first.
    private func dismissed(_ bench: Bench) throws -> [[Int64]] {
        try bench.take().filter { $0.kind == .dismiss }.map { $0.dismiss?.slotIDs ?? [] }
    }

    @Test func `considering the last item, and only that, takes it away, in the message of the task`() throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let morning = try bench.period("Morning", of: ann)
        let first = try bench.remind("a", at: "09:00", by: ann)
        let last = try bench.remind("b", at: "10:00", by: ann)
        _ = try bench.remind("c", at: "12:00", by: ann)
        try bench.take()
        try bench.act("done", first, as: ann)
        #expect(try dismissed(bench) == [[]])
        try bench.act("done", last, as: ann)
        let messages = try bench.take().filter { $0.kind == .dismiss }
        #expect(messages.count == 1)
        #expect(messages[0].dismiss?.taskIDs == [last])
        #expect(messages[0].dismiss?.slotIDs == [morning])
        #expect(messages[0].user == ann.id.rawValue)
    }

    @Test func `undo, redo and putting back take no period's notification away`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.remind("a", at: "09:00", by: ann)
        try bench.act("done", id, as: ann)
        try bench.take()
        try bench.undo(as: ann)
        try bench.redo(as: ann)
        try bench.act("undone", id, as: ann)
        #expect(try dismissed(bench).allSatisfy { $0.isEmpty })
    }

    @Test func `all at once: one message with every period that is finished`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try ["07:00", "09:00", "12:00"].map { try bench.remind($0, at: $0, by: ann) }
        let left = try bench.remind("left", at: "12:30", by: ann)
        try bench.take()
        let body: JSONValue = ["ids": .array(ids.map { .int($0) })]
        #expect(try bench.call("POST", "/api/tasks/bulk/done", body, as: ann).status == 200)
        let expected = try ["Early morning", "Morning"].map { try bench.period($0, of: ann) }
        #expect(try dismissed(bench) == [expected])
        #expect(try bench.item(left).version == 1)
    }

    @Test func `deleting the last one, or moving it to another period, leaves nothing to notify of either`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let morning = try bench.period("Morning", of: ann)
        let gone = try bench.remind("a", at: "09:00", by: ann)
        try bench.take()
        try bench.trash(gone, as: ann)
        #expect(try dismissed(bench) == [[morning]])
        let moved = try bench.remind("b", at: "09:00", by: ann)
        try bench.take()
        try bench.patch(moved, ["rrule": "FREQ=DAILY;BYHOUR=12;BYMINUTE=0"], as: ann)
        #expect(try dismissed(bench) == [[morning]])
        try bench.patch(moved, ["title": "c"], as: ann)
        #expect(try dismissed(bench).isEmpty)
    }

    @Test func `a waiting quota reminder keeps its period unfinished, unless the server has none`() throws {
        for switchedOff in [false, true] {
            let bench = try Bench(switchedOff ? ["OPENTASK_QUOTA_PROMPTS": "off"] : [:])
            let ann = try bench.add()
            let early = try bench.period("Early morning", of: ann)
            _ = try bench.make("q", ["is_tracked": true, "rrule": "FREQ=DAILY"], by: ann)
            let id = try bench.remind("a", at: "07:00", by: ann)
            try bench.take()
            try bench.act("done", id, as: ann)
            #expect(try dismissed(bench) == [switchedOff ? [early] : []])
        }
    }

    @Test func `the owner's devices are told, whoever considered`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: bob).id
        let id = try bench.remind("r", at: "09:00", ["project_id": .int(house)], by: bob)
        try bench.take()
        try bench.act("done", id, as: ann)
        let messages = try bench.take().filter { $0.kind == .dismiss }
        #expect(messages.map(\.user) == [bob.id.rawValue])
        #expect(messages[0].dismiss?.slotIDs == [try bench.period("Morning", of: bob)])
    }

    @Test func `a period that moves finishes no other; one that is removed is told of nowhere any more`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let morning = try bench.period("Morning", of: ann)
        _ = try bench.remind("a", at: "09:00", by: ann)
        try bench.take()
        _ = try bench.call("PATCH", "/api/time-slots/\(morning)", ["start_time": "09:30"], as: ann)
        #expect(try dismissed(bench).allSatisfy { $0.isEmpty })
        _ = try bench.call("DELETE", "/api/time-slots/\(morning)", as: ann)
        #expect(try dismissed(bench).last == [morning])
    }
}

@Suite("A78, M-15, N-43 Complete all of a period")
struct ConsiderAllTests {
    private func press(_ bench: Bench, _ slot: JSONValue, as person: Bench.Person) throws -> Answer {
        try bench.call(
            "POST", "/api/notifications/actions",
            ["action": "complete_all", "slot_id": slot, "token": .string(person.token)])
    }

    @Test func `all that waits in it is considered, nothing is logged, and it is one undo entry`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let early = try bench.period("Early morning", of: ann)
        let first = try bench.remind("a", at: "07:00", by: ann)
        let second = try bench.remind("b", at: "08:00", by: ann)
        let other = try bench.remind("c", at: "09:00", by: ann)
        let quota = try bench.make("q", ["progress_target": 3, "rrule": "FREQ=WEEKLY"], by: ann).id
        try bench.act("done", first, as: ann)
        let (entries, completions) = (try bench.count("undo"), try bench.count("completion"))
        try bench.take()
        let answer = try press(bench, .int(early), as: ann)
        #expect(answer.status == 200)
        #expect(
            answer.data == [
                "action": "complete_all", "task_id": nil, "slot_id": .int(early),
                "result": ["tasks_affected": 1, "prompts_considered": 1],
            ])
        #expect(try bench.item(second).isConsidered(on: unwrap(LocalDate("2026-10-14")), zone: Bench.zone))
        #expect(try bench.item(other).version == 1)
        #expect(try bench.item(quota).progressCurrent == 0)
        #expect(try bench.count("completion") == completions + 1)
        #expect(try bench.count("undo") == entries + 1)
        #expect(try bench.take().first { $0.kind == .dismiss }?.dismiss?.slotIDs == [early])
        let list = try bench.call("GET", "/api/reminders", as: ann)
        #expect(list["groups"].array?[0]["count"] == 0)
        #expect(list["groups"].array?[0]["prompts_considered"] == 1)
        let again = try press(bench, .int(early), as: ann)
        #expect(again["result"] == ["tasks_affected": 0, "prompts_considered": 0])
        #expect(try bench.count("undo") == entries + 1)

        let undone = try bench.undo(as: ann)
        #expect(undone["undone_action"] == "bulk_done")
        #expect(undone["description"] == "Considered 2 in Early morning")
        let back = try bench.call("GET", "/api/reminders", as: ann)["groups"].array?[0]
        #expect(back?["count"] == 1)
        #expect(back?["considered"] == 1)
        #expect(back?["prompts_waiting"] == 1)
    }

    @Test func `another's period is not found, none and no id are refused, all without a trace`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let id = try bench.remind("r", at: "07:00", by: bob)
        let slot = try bench.period("Early morning", of: bob)
        expectRefused(try press(bench, .int(slot), as: ann), 404, "NOT_FOUND")
        for slot in [.null, 0, -1, "7"] as [JSONValue] {
            expectRefused(try press(bench, slot, as: bob), 400, "VALIDATION_ERROR", culprit: "slot_id")
        }
        #expect(try bench.item(id).version == 1)
    }
}
