import ApiService
import ApiStore
import Domain
import JSON
import Testing
import Time

@Suite("A36 to A38 Acting on quota reminders")
struct QuotaPromptTests {
    private func call(
        _ bench: Bench, _ action: String, _ keys: [String], as person: Bench.Person
    ) throws -> Answer {
        try bench.call(
            "POST", "/api/quota-prompts/\(action)", ["keys": .array(keys.map(JSONValue.string))], as: person)
    }

    @Test func `A36: considered, nothing logged, one entry`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let walk = try bench.makeQuota("Walk", by: ann)
        let floss = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
        let events = try bench.count("event")
        let entries = try bench.count("undo")
        let keys = [try bench.key(walk), try bench.key(floss, 2), try bench.key(walk)]
        let answer = try call(bench, "consider", keys, as: ann)
        #expect(answer.status == 200)
        #expect(answer["considered"] == 2 && answer["did"] == 0)
        let tasks = answer["tasks"].array ?? []
        #expect(tasks.compactMap { $0["id"]?.int } == [walk, floss])
        #expect(tasks == [try bench.get(walk, as: ann).data, try bench.get(floss, as: ann).data])
        #expect(tasks.compactMap { $0["progress_current"]?.int } == [0, 0])
        #expect(try bench.item(floss).quotaDay(try day(bench)).considered.map(\.description) == [keys[1]])
        #expect(try bench.count("progress") == 0)
        #expect(try bench.count("undo") == entries + 1)
        #expect(try bench.count("event") == events + 1)
        #expect(try bench.undoStack().last == "quota_prompt: Considered 2 quotas")
        let undone = try bench.undo(as: ann)
        #expect(undone["undone_action"] == "quota_prompt" && undone["tasks_affected"] == 2)
        #expect(try bench.get(walk, as: ann)["quota_day_state"] == .null)
        try bench.redo(as: ann)
        #expect(try bench.get(walk, as: ann).data == tasks[0].with("version", 4).with("updated_at", tasks[0]))
    }

    private func day(_ bench: Bench) throws -> LocalDate { Bench.zone.date(bench.now) }

    @Test func `A37, Golden 80: did it raises a daily count to the number, and once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
        let first = try call(bench, "did", [try bench.key(id, 2)], as: ann)
        #expect(first["considered"] == 0 && first["did"] == 1)
        #expect(first["tasks"].array?.first?["progress_current"] == 2)
        #expect(try bench.progress(id) == [2])
        let entries = try bench.count("undo")
        let again = try call(bench, "did", [try bench.key(id, 2)], as: ann)
        #expect(again["did"] == 1 && again["tasks"].array?.first?["progress_current"] == 2)
        #expect(try bench.progress(id) == [2])
        #expect(try bench.count("undo") == entries + 1)
        // Undo of the repeat undoes nothing.
        try bench.undo(as: ann)
        #expect(try bench.count(of: id, as: ann) == 2)
        try bench.undo(as: ann)
        #expect(try bench.count(of: id, as: ann) == 0)
        #expect(try bench.progress(id) == [])
    }

    @Test func `Golden 81, Q-23: then −1, and #2 waits again while #1 is done`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
        try bench.prompt("did", id, 2, as: ann)
        try bench.log(-1, on: id, as: ann)
        let prompts = try prompts(bench, ann)
        #expect(prompts.map(\.number) == [1, 2])
        #expect(prompts.map(\.isWaiting) == [false, true])
        #expect(prompts.map(\.current) == [1, 1])
    }

    private func prompts(_ bench: Bench, _ person: Bench.Person) throws -> [QuotaPrompt] {
        try bench.store.read { snapshot in
            let prefs = try unwrap(try snapshot.user(person.id)).preferences
            return quotaPrompts(
                of: try snapshot.openQuotas(of: person.id), periods: try snapshot.periods(of: person.id),
                now: bench.now, prefs: prefs)
        }
    }

    @Test func `Golden 82: one bad key refuses the whole call, and nothing is changed`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let good = try bench.makeQuota("Walk", by: ann)
        let floss = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
        let foreign = try bench.makeQuota("Bob's", by: bob)
        let task = try bench.make(by: ann).id
        let trashed = try bench.makeQuota("Gone", by: ann)
        try bench.trash(trashed, as: ann)
        let entries = try bench.count("undo")
        for bad in [
            "q:\(good):0:2026-10-13", "q:\(good):0:2026-10-15", "q:\(good):1:2026-10-14",
            try bench.key(foreign),
            try bench.key(task), try bench.key(trashed), try bench.key(floss), try bench.key(floss, 3),
            "nonsense",
            "q:\(good):0:2026-10-14x", "q:999:0:2026-10-14",
        ] {
            for action in ["consider", "did", "restore"] {
                let answer = try call(bench, action, [try bench.key(good), bad], as: ann)
                expectRefused(answer, 400, "VALIDATION_ERROR")
                #expect(answer.culprits == ["keys.1"], "\(bad)")
            }
        }
        #expect(try bench.item(good).quotaDayState == nil)
        #expect(try bench.count("undo") == entries)
        #expect(try bench.count("progress") == 0)
    }

    @Test(
        arguments: [
            [:], ["keys": []], ["keys": .null], ["keys": "q"], ["keys": [1]], ["keys": [""]],
            ["keys": [.string(String(repeating: "q", count: 65))]],
        ] as [JSONValue])
    func `PromptKeys: 1 to 1,000 keys of 1 to 64 characters`(_ body: JSONValue) throws {
        let bench = try Bench()
        let ann = try bench.add()
        expectRefused(
            try bench.call("POST", "/api/quota-prompts/did", body, as: ann), 400, "VALIDATION_ERROR")
        expectRefused(
            try call(bench, "did", Array(repeating: "q:1:0:2026-10-14", count: 1001), as: ann), 400,
            "VALIDATION_ERROR", culprit: "keys")
    }

    @Test func `A38: put back takes off what its did-it added, and what lost its ground waits again`() throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota("Floss", "FREQ=DAILY", 4, by: ann)
        try bench.prompt("did", id, 1, as: ann)
        try bench.prompt("did", id, 4, as: ann)
        let answer = try bench.prompt("restore", id, 1, as: ann)
        #expect(answer["restored"] == 1)
        #expect(answer["tasks"].array?.first?["progress_current"] == 3)
        #expect(try bench.item(id).quotaDay(try day(bench)).did.isEmpty)
        #expect(try bench.progress(id) == [1, 3, -1])
        #expect(try bench.undoStack().last == #"quota_prompt: Put back "Floss""#)
        try bench.undo(as: ann)
        #expect(try bench.count(of: id, as: ann) == 4)
        #expect(try bench.item(id).quotaDay(try day(bench)).did.count == 2)
        #expect(try bench.progress(id) == [1, 3])
        // Nothing to put back: an entry all the same.
        let entries = try bench.count("undo WHERE undone = 0")
        try bench.prompt("restore", id, 2, as: ann)
        #expect(try bench.count("undo WHERE undone = 0") == entries + 1)
    }

    @Test func `Q-28: +1 from elsewhere does the row, −1 lets it wait, a stale did-it adds 1 once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        bench.at("10-13 08:00")
        let id = try bench.makeQuota("Walk", "FREQ=WEEKLY", 5, by: ann)
        try bench.log(on: id, as: ann)
        bench.at("10-14 08:00")
        #expect(try prompts(bench, ann).map(\.isWaiting) == [true])
        try bench.log(on: id, as: ann)
        #expect(try prompts(bench, ann).map(\.done) == [true])
        try bench.log(-1, on: id, as: ann)
        #expect(try prompts(bench, ann).map(\.isWaiting) == [true])
        try bench.log(on: id, as: ann)
        try bench.prompt("did", id, as: ann)
        try bench.prompt("did", id, as: ann)
        #expect(try bench.count(of: id, as: ann) == 3)
    }

    @Test func `Q-20: the server's switch and the user's turn them off for all`() throws {
        #expect(try Bench().parts.settings.quotaPromptsEnabled)
        let bench = try Bench(["OPENTASK_QUOTA_PROMPTS": "off"])
        #expect(!bench.parts.settings.quotaPromptsEnabled)
        let ann = try bench.add()
        _ = try bench.makeQuota(by: ann)
        #expect(try prompts(bench, ann).isEmpty)
        let house = try Bench()
        let bob = try house.add("bob")
        _ = try house.makeQuota(by: bob)
        #expect(try prompts(house, bob).count == 1)
        try house.set("quota_prompts_enabled", "false", of: bob)
        #expect(try prompts(house, bob).isEmpty)
    }

    @Test func `Q-26: moving a row is an edit of the whole config, and undoable`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let slots = try bench.store.read { try $0.periods(of: ann.id) }.map(\.id.rawValue)
        let id = try bench.makeQuota("Floss", "FREQ=DAILY", 4, by: ann)
        #expect(try prompts(bench, ann).map(\.numbers) == [[1], [2], [3], [4]])
        let config = QuotaPromptConfig(json: try bench.item(id).quotaPromptConfig)
            .moving([1], to: Period.ID(rawValue: slots[1]))
        try bench.patch(id, ["quota_prompt_config": try JSONValue(parsing: Array(config.json.utf8))], as: ann)
        #expect(try prompts(bench, ann).map(\.numbers) == [[1, 2], [3], [4]])
        try bench.undo(as: ann)
        #expect(try prompts(bench, ann).map(\.numbers) == [[1], [2], [3], [4]])
        // T7: another's period.
        let bob = try bench.add("bob")
        let foreign = try bench.store.read { try $0.periods(of: bob.id) }[0].id.rawValue
        expectRefused(
            try bench.call(
                "PATCH", "/api/tasks/\(id)", ["quota_prompt_config": ["slot_id": .int(foreign)]], as: ann),
            400,
            "VALIDATION_ERROR", culprit: "quota_prompt_config")
    }

    @Test func `A-4: the same Idempotency-Key acts once; a stranger is 401`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        let body: JSONValue = ["keys": [.string(try bench.key(id))]]
        let headers = [(name: "Idempotency-Key", value: "k")]
        let first = try bench.call("POST", "/api/quota-prompts/did", body, as: ann, headers: headers)
        let second = try bench.call("POST", "/api/quota-prompts/did", body, as: ann, headers: headers)
        #expect(first.data == second.data)
        #expect(try bench.count("undo") == 2)
        #expect(try bench.call("POST", "/api/quota-prompts/did", body).status == 401)
    }
}

extension JSONValue {
    /// The same object with another member; an object gives its own member of that name.
    fileprivate func with(_ key: String, _ value: JSONValue) -> JSONValue {
        var members = object ?? [:]
        members[key] = value[key] ?? value
        return .object(members)
    }
}
