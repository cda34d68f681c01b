import ApiStore
import Dispatch
import Domain
import FoundationEssentials
import SQLite
import Synchronization
import TestSupport
import Testing
import Time

/// A store in a folder of its own, and a user in it.
struct TestStore {
    let folder = TemporaryFolder()
    let clock = FixedClock(Instant(seconds: 1_791_990_000))
    let store: Store
    let user: UserID
    let inbox: ProjectID

    var path: String { folder.file("opentask.db") }

    init() throws {
        store = try Store(path: folder.file("opentask.db"))
        let zone = try #require(Zone("America/Chicago"))
        (user, inbox) = try store.write(at: clock) { transaction in
            let user = try transaction.add(
                NewUser(name: "ann", email: "ann@example.org", passwordHash: "-", zone: zone))
            return (user, try transaction.inbox(of: user))
        }
    }

    /// A new task, changed by `shape` before it is recorded.
    @discardableResult
    func add(_ title: String = "x", _ shape: (inout TaskItem) -> Void = { _ in }) throws -> TaskItem {
        try store.write(at: clock) { transaction in
            var task = TaskItem(
                id: try transaction.newTaskID(), owner: user, project: inbox, title: title,
                createdAt: transaction.now)
            shape(&task)
            return try transaction.record(
                Change(
                    actor: user, action: .create, description: "Created", items: [ItemChange(nil, task)]))[0]
        }
    }

    func rows(_ sql: String) throws -> [String] {
        try Database(path: path, mode: .readOnly).query(sql) { $0.text(0) }
    }
}

@Suite("opentask.db")
struct StoreTests {
    @Test func `every table is STRICT: a text is never taken for a number`() throws {
        let test = try TestStore()
        let loose = try test.rows(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'"
        )
        #expect(loose == [])
        #expect(
            try test.rows("SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 1") != [
                "0"
            ])
    }

    @Test func `a file of a newer release is refused with words, and untouched`() throws {
        let test = try TestStore()
        let path = test.folder.file("newer.db")
        _ = try Store(path: path)
        try Database(path: path).execute("PRAGMA user_version=99; PRAGMA wal_checkpoint(TRUNCATE)")
        let before = try Data(contentsOf: URL(filePath: path))
        do {
            _ = try Store(path: path)
            Issue.record("opened a file of the future")
        } catch {
            #expect("\(error)".contains("schema version 99"))
            #expect("\(error)".contains("install the release that wrote it"))
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func `what was written is there when the file is opened again`() throws {
        let test = try TestStore()
        let task = try test.add("Call Bob") {
            $0.target = test.clock.now()
            $0.labels = ["a", "ä\"]"]
            $0.notes = "\u{0}\u{1F600}"
        }
        let again = try Store(path: test.path)
        #expect(try again.read { try $0.task(task.id) } == task)
    }

    @Test func `every field of a task goes into its column and back`() throws {
        let test = try TestStore()
        let task = try test.add { task in
            for (index, field) in TaskField.allCases.enumerated() {
                task[field] = Samples.value(of: field, index)
            }
        }
        let back = try #require(try test.store.read { try $0.task(task.id) })
        for field in TaskField.allCases {
            #expect(back[field] == task[field], "\(field)")
            #expect(back[field] != .null, "\(field) has a sample")
        }
        #expect(back == task)
    }

    @Test func `T-1: the schema itself refuses an item that is a reminder and a quota`() throws {
        let test = try TestStore()
        #expect(throws: StoreFailure.self) {
            try test.add {
                $0.isReminder = true
                $0.isTracked = true
            }
        }
        #expect(try test.rows("SELECT count(*) FROM task") == ["0"])
    }

    @Test func `ids of tasks that are gone for good do not come back`() throws {
        let test = try TestStore()
        let first = try test.add()
        try Database(path: test.path).execute("DELETE FROM task")
        #expect(try test.add().id.rawValue > first.id.rawValue)
    }

    @Test func `writers that wait together: who throws leaves nothing, everybody else is there`() throws {
        struct Stop: Error {}
        let test = try TestStore()
        let refused = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for index in 0..<40 {
                do {
                    try test.store.write(at: test.clock) { transaction in
                        let task = TaskItem(
                            id: try transaction.newTaskID(), owner: test.user, project: test.inbox,
                            title: "\(thread)-\(index)", createdAt: transaction.now)
                        try transaction.record(
                            Change(
                                actor: test.user, action: .create, description: "c",
                                items: [ItemChange(nil, task)]))
                        if index % 4 == 3 { throw Stop() }
                    }
                } catch is Stop {
                    refused.withLock { $0 += 1 }
                } catch {
                    Issue.record("\(error)")
                }
            }
        }
        #expect(refused.withLock { $0 } == 80)
        let titles = try test.rows("SELECT title FROM task")
        #expect(titles.count == 240)
        #expect(Set(titles).count == 240)
        #expect(!titles.contains { Int($0.split(separator: "-")[1]).map { $0 % 4 == 3 } ?? true })
        // with each its entry, and an event that follows the commits.
        #expect(try test.rows("SELECT count(*) FROM undo") == ["240"])
        #expect(try test.rows("SELECT count(*) FROM event") == ["240"])
        let entries = try test.rows("SELECT json_extract(snapshot, '$[0].task_id') FROM undo ORDER BY id")
        #expect(try test.rows("SELECT id FROM task ORDER BY id") == entries)
        #expect(try test.rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `A-6: now is asked once for a change`() throws {
        final class Ticking: Clock {
            let asked = Mutex(0)
            func now() -> Instant {
                Instant(
                    seconds: 1_791_990_000
                        + Int64(
                            asked.withLock {
                                $0 += 1; return $0
                            }))
            }
        }
        let test = try TestStore()
        let clock = Ticking()
        try test.store.write(at: clock) { transaction in
            _ = transaction.now
            try transaction.addEvent(.sync, for: test.user)
            try transaction.post(.dismissAll, to: test.user)
        }
        #expect(clock.asked.withLock { $0 } == 1)
    }

    @Test func `an unreadable zone of one account is named, not passed over`() throws {
        let test = try TestStore()
        try Database(path: test.path).execute("UPDATE user SET timezone = 'Mars/Olympus'")
        #expect(throws: UnknownZone.self) { try test.store.read { try $0.user(test.user) } }
    }
}

/// A value for each field that is neither null nor the default, and goes with the table's CHECKs.
enum Samples {
    static func value(of field: TaskField, _ index: Int) -> FieldValue {
        switch field {
        case .project, .priority, .done: .int(1)
        case .isReminder: .int(0)
        case .isTracked: .int(1)
        case .deadlineAllDay: .int(1)
        case .labels: .list(["a", "b\"\\"])
        case .targetSource: .text("auto")
        case .recurrenceMode: .text("from_completion")
        case .shortMonths: .text("skip")
        case .horizon: .text("weeks")
        case .anchorTime: .text("08:30")
        case .ruleStart, .segmentConsideredOn, .segmentDeferredOn: .text("2026-10-14")
        case .title, .originalTitle, .shortTitle, .notes, .rrule, .quotaPromptConfig, .quotaDayState:
            .text("text \(index)")
        default: .int(Int64(1000 + index))
        }
    }
}
