import ApiStore
import Domain
import JSON
import Testing
import Time

extension Bench {
    /// A new quota of the present period.
    func makeQuota(
        _ title: String = "Stretch", _ rrule: String = "FREQ=WEEKLY", _ target: Int64 = 3,
        _ more: [String: JSONValue] = [:], by person: Person
    ) throws -> Int64 {
        var body = more
        body["rrule"] = .string(rrule)
        body["progress_target"] = .int(target)
        body["is_tracked"] = true
        return try make(title, body, by: person).id
    }

    @discardableResult
    func log(_ delta: Int64 = 1, on id: Int64, as person: Person) throws -> Answer {
        try act("progress", id, ["delta": .int(delta)], as: person)
    }

    /// `consider`, `did`, `restore`; the numbers are of today's keys.
    @discardableResult
    func prompt(_ action: String, _ id: Int64, _ number: Int = 0, as person: Person) throws -> Answer {
        let answer = try call(
            "POST", "/api/quota-prompts/\(action)", ["keys": [.string(try key(id, number))]], as: person)
        guard answer.status == 200 else {
            throw Missing(description: "\(action): \(answer.status) \(answer.body ?? .null)")
        }
        return answer
    }

    /// Today's key of a quota, in its owner's zone.
    func key(_ id: Int64, _ number: Int = 0) throws -> String {
        let owner = try item(id).owner
        let zone = try unwrap(try store.read { try $0.user(owner) }).preferences.zone
        return "q:\(id):\(number):\(zone.date(now))"
    }

    /// What is in the log of progress of a quota, oldest first.
    func progress(_ id: Int64) throws -> [Int] {
        try rows("SELECT cast(delta AS TEXT) FROM progress WHERE task_id = \(id) ORDER BY at, id")
            .compactMap { Int($0) }
    }

    /// The closed periods of a quota, as `logged/target met`.
    func periods(_ id: Int64) throws -> [String] {
        try rows(
            "SELECT logged || '/' || target || ' ' || met FROM quota_period WHERE task_id = \(id) ORDER BY start_at"
        )
    }

    func undoStack() throws -> [String] {
        try rows("SELECT action || ': ' || description FROM undo ORDER BY id")
    }

    /// `current`, `start`: the quota as a client reads it.
    func count(of id: Int64, as person: Person) throws -> Int64 {
        try get(id, as: person)["progress_current"].int ?? -1
    }
}
