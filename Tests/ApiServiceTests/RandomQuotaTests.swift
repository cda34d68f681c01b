import ApiStore
import Domain
import JSON
import TestSupport
import Testing
import Time

/// One person who logs, considers and changes her mind, with the clock going on between.
private struct Logger {
    let bench: Bench
    let ann: Bench.Person
    let ids: [Int64]
    var random: SeededGenerator

    init(seed: UInt64) throws {
        bench = try Bench()
        ann = try bench.add(zone: ["America/Chicago", "Australia/Lord_Howe", "Asia/Kolkata"][Int(seed % 3)])
        random = SeededGenerator(seed: seed)
        ids = try [
            bench.makeQuota("Floss", "FREQ=DAILY", 3, by: ann),
            bench.makeQuota("Walk", "FREQ=WEEKLY", 2, by: ann),
            bench.makeQuota("Water", "FREQ=DAILY;INTERVAL=2", 2, by: ann),
            bench.makeQuota("Call", "FREQ=MONTHLY", 4, by: ann),
        ]
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func act(seconds: ClosedRange<Int64>, history: Bool, close: Bool) throws {
        if chance(60) { bench.advance(seconds: Int64.random(in: seconds, using: &random)) }
        let id = ids[Int.random(in: 0..<ids.count, using: &random)]
        let number = id == ids[0] ? Int.random(in: 1...3, using: &random) : 0
        let answer: Answer
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25:
            let delta = [1, 1, 2, 3, -1, -1, -2, -5][Int.random(in: 0..<8, using: &random)]
            answer = try bench.call(
                "POST", "/api/tasks/\(id)/progress", ["delta": .int(Int64(delta))], as: ann)
        case 25..<65:
            let action = ["consider", "did", "did", "restore"][Int.random(in: 0..<4, using: &random)]
            answer = try bench.call(
                "POST", "/api/quota-prompts/\(action)", ["keys": [.string(try bench.key(id, number))]],
                as: ann)
        case 65..<70:
            let prompts: JSONValue = [
                ["key": .string(try bench.key(id, number)), "did": true], .string(try bench.key(ids[1])),
            ]
            answer = try bench.call("POST", "/api/tasks/bulk/complete", ["prompts": prompts], as: ann)
        case 70..<75:
            answer = try bench.call(
                "PATCH", "/api/tasks/\(id)",
                ["progress_current": .int(Int64.random(in: 0...6, using: &random))],
                as: ann)
        case 75..<80:
            answer = try bench.call(
                "PATCH", "/api/tasks/\(id)", ["notes": .string("\(Int.random(in: 0...99, using: &random))")],
                as: ann)
        case 80..<83 where close:
            answer = try bench.call("POST", "/api/tasks/\(id)/done", ["close_period": true], as: ann)
        case 83..<92 where history: answer = try bench.call("POST", "/api/undo", as: ann)
        case 92..<97 where history: answer = try bench.call("POST", "/api/redo", as: ann)
        default:
            _ = try bench.store.write(at: bench.clock) { try $0.rollOverDue(limit: 100) }
            return
        }
        guard [200, 400].contains(answer.status) else {
            throw Missing(description: "an answer: \(answer.status) \(answer.body ?? .null)")
        }
    }

    /// Versions and times of change go on.
    func state() throws -> [TaskItem] {
        try ids.map { id in
            var item = try bench.item(id)
            item.version = 0
            item.updatedAt = item.createdAt
            return item
        }
    }

    func logged() throws -> [String] {
        try bench.rows("SELECT id || ' ' || task_id || ' ' || delta || ' ' || at FROM progress ORDER BY id")
    }
}

@Suite("Q: whatever one logs, in whatever order")
struct RandomQuotaTests {
    @Test(arguments: 1...9 as ClosedRange<UInt64>)
    func `Q-4 to Q-7, Q-22 to Q-27: rows are the count, did-its are supported, periods follow each other`(
        _ seed: UInt64
    ) throws {
        print("seed \(seed)")
        var logger = try Logger(seed: seed)
        let bench = logger.bench
        for step in 1...150 {
            // An undone creation is a quota in the trash, which is another test's.
            let undoable = try bench.count("undo WHERE undone = 0")
            try logger.act(seconds: 0...60_000, history: undoable > logger.ids.count, close: false)
            guard step % 3 == 0 else { continue }
            for id in logger.ids {
                let quota = try bench.item(id)
                let prefs = try unwrap(try bench.store.read { try $0.user(quota.owner) }).preferences
                let start = try unwrap(quota.progressPeriodStart)
                let rows = try bench.store.read { try $0.progress(on: quota.id, since: start) }
                #expect(quota.progressCurrent >= 0)
                #expect(
                    rows.reduce(0) { $0 + $1.delta } == quota.progressCurrent, "step \(step), \(quota.title)")
                #expect(
                    start <= bench.now
                        && quotaPeriodStart(rrule: "FREQ=DAILY", now: start, prefs: prefs) == start)
                // closed periods follow each other, and each has what was logged in it.
                let closed = try bench.rows(
                    "SELECT start_at || ' ' || end_at || ' ' || logged FROM quota_period WHERE task_id = \(id) ORDER BY start_at"
                ).map { $0.split(separator: " ").compactMap { Int64($0) } }
                for (period, next) in zip(closed, closed.dropFirst().map { $0[0] } + [start.seconds]) {
                    #expect(period[1] == next)
                    let sum = try bench.rows(
                        "SELECT cast(ifnull(sum(delta), 0) AS TEXT) FROM progress WHERE task_id = \(id) AND at >= \(period[0]) AND at < \(period[1])"
                    )
                    #expect(sum == ["\(period[2])"])
                }
                // who did it also considered it, and a did-it stands on the count.
                let day = quota.quotaDay(prefs.zone.date(bench.now))
                #expect(Set(day.did).isSubset(of: day.considered))
                for key in day.did where !quota.isBehind(bench.now, prefs) {
                    #expect(key.number == 0 ? day.logged > 0 : quota.progressCurrent >= key.number)
                }
                #expect(Set(day.didApplied.keys).isSubset(of: day.did))
            }
        }
        #expect(try bench.rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test(arguments: 11...19 as ClosedRange<UInt64>)
    func `U-1 to U-6: within a day, undo of everything leads back to the beginning, redo to the end`(
        _ seed: UInt64
    ) throws {
        print("seed \(seed)")
        var logger = try Logger(seed: seed)
        // From the day's beginning on, wherever she lives, and never across its end.
        let zone = try unwrap(try logger.bench.store.read { try $0.user(logger.ann.id) }).preferences.zone
        let bench = logger.bench
        bench.clock.set(zone.day(zone.date(bench.now).adding(days: 1)).lowerBound.adding(minutes: 1))
        try bench.store.write(at: bench.clock) { try $0.rollOver(quotasOf: logger.ann.id) }
        let (beginning, none) = (try logger.state(), try logger.logged())
        for _ in 1...60 { try logger.act(seconds: 0...600, history: false, close: true) }
        let (end, ended) = (try logger.state(), try logger.logged())
        #expect(!ended.isEmpty)
        let entries = try bench.count("undo") - logger.ids.count
        for _ in 1...entries { try bench.undo(as: logger.ann) }
        for (now, then) in zip(try logger.state(), beginning) { #expect(now.fields(changedFrom: then) == []) }
        #expect(try logger.logged() == none)
        #expect(try bench.count("completion") == 0)
        for _ in 1...entries { try bench.redo(as: logger.ann) }
        for (now, then) in zip(try logger.state(), end) { #expect(now.fields(changedFrom: then) == []) }
        #expect(try logger.logged() == ended)
    }
}

extension TaskItem {
    /// A period that has ended and that nobody has closed yet.
    fileprivate func isBehind(_ now: Instant, _ prefs: Preferences) -> Bool {
        quotaPeriodEnd(prefs: prefs).map { $0 <= now } ?? false
    }
}
