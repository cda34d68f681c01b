import ApiStore
import Domain
import Interfaces
import JSON
import Log
import SchedulerService
import Testing
import Time
import Varlink

@Suite("Q-5 to Q-8 Periods of quotas end")
struct QuotaRolloverTests {
    @Test func `Golden 76, Q-6, Q-9: a +1 after the boundary closes the week first`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        try bench.log(2, on: id, as: ann)
        bench.at("10-17 23:59:59")
        #expect(try bench.count(of: id, as: ann) == 2)
        bench.at("10-18 00:00:02")
        let answer = try bench.log(on: id, as: ann)
        #expect(answer["progress_current"] == 1 && answer["description"] == "1/3")
        #expect(answer["progress_period_start"] == .local("10-18 00:00"))
        #expect(try bench.periods(id) == ["2/3 0"])
        #expect(answer["completion_count"] == 0)
        #expect(
            try bench.rows("SELECT action || ': ' || description FROM activity ORDER BY id DESC LIMIT 2") == [
                #"progress: Logged 1/3 on "Stretch""#, #"rollover: Closed "Stretch": 2/3, not met"#,
            ])
        // A-10: in no undo entry.
        #expect(try bench.undoStack().map { $0.prefix(6) } == ["create", "progre", "progre"])
    }

    @Test
    func `Q-5: lists, single reads and reminders show 0 from the boundary on, before anybody closed it`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        try bench.log(2, on: id, as: ann)
        func shown() throws -> [Int64] {
            let list = try bench.call("GET", "/api/tasks", as: ann)["tasks"].array ?? []
            let quotas = try bench.call("GET", "/api/quotas", as: ann)["quotas"].array ?? []
            let prompts = try bench.store.read { snapshot in
                quotaPrompts(
                    of: try snapshot.openQuotas(of: ann.id), periods: [], now: bench.now,
                    prefs: Preferences(zone: Bench.zone))
            }
            return (list + quotas).compactMap { $0["progress_current"]?.int }
                + [try bench.count(of: id, as: ann)] + prompts.map { Int64($0.current) }
        }
        // The JSON of the list is kept from one list to the next.
        for _ in 1...2 { #expect(try shown() == [2, 2, 2, 2]) }
        bench.at("10-18 00:00")
        for _ in 1...2 { #expect(try shown() == [0, 0, 0, 0]) }
        #expect(try bench.item(id).progressCurrent == 2)
        bench.at("10-17 23:59")
        #expect(try shown() == [2, 2, 2, 2])
    }

    @Test func `Q-6: every write on a quota closes what has ended`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        func quota() throws -> Int64 {
            let id = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
            try bench.log(on: id, as: ann)
            return id
        }
        let (edited, closed, trashed, prompted, bulk) = try (quota(), quota(), quota(), quota(), quota())
        bench.at("10-15 00:00")
        try bench.patch(edited, ["title": "Floss well"], as: ann)
        try bench.act("done", closed, ["close_period": true], as: ann)
        try bench.trash(trashed, as: ann)
        try bench.prompt("consider", prompted, 1, as: ann)
        #expect(
            try bench.call(
                "POST", "/api/tasks/bulk/done", ["ids": [.int(bulk)], "close_period": true], as: ann
            ).status == 200)
        for id in [edited, closed, trashed, prompted, bulk] {
            #expect(try bench.periods(id) == ["1/2 0"])
            #expect(try bench.item(id).progressPeriodStart == .local("10-15 00:00"))
        }
    }

    @Test func `A-3, Q-6: the version that a client saw before the boundary is still good after it`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        let seen = try bench.log(on: id, as: ann).version
        bench.at("10-18 00:00")
        let answer = try bench.act("progress", id, ["version": .int(seen)], as: ann)
        #expect(answer["progress_current"] == 1)
        #expect(answer.version == seen + 2)
        let stale = try bench.call("POST", "/api/tasks/\(id)/progress", ["version": .int(seen)], as: ann)
        #expect(stale.status == 409)
    }

    @Test func `A-1: a write that is refused has closed nothing`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        bench.at("10-18 00:00")
        #expect(try bench.call("POST", "/api/tasks/\(id)/done", as: ann).status == 400)
        #expect(try bench.count("quota_period") == 0)
        #expect(try bench.item(id).progressPeriodStart == .local("10-11 00:00"))
    }

    @Test
    func `Q-6: the clock closes a met period: a completion at its end, an event, no undo, no statistic`()
        throws
    {
        let house = try Clockwork(at: "10:00")
        let (bench, ann) = (house.bench, house.ann)
        let id = try bench.makeQuota(by: ann)
        try bench.log(4, on: id, as: ann)
        #expect(try bench.store.read { try $0.earliestLook() } == .local("10-18 00:00"))
        #expect(try house.rollOver(at: "10-17 23:59:59") == 0)
        let events = try bench.count("event")
        #expect(try house.rollOver(at: "10-18 00:00") == 1)
        #expect(try bench.periods(id) == ["4/3 1"])
        #expect(try bench.count("event") == events + 1)
        let quota = try bench.get(id, as: ann)
        #expect(quota["progress_current"] == 0 && quota["completion_count"] == 1)
        #expect(quota["last_completed_at"] == .local("10-18 00:00"))
        #expect(
            try bench.rows("SELECT cast(completed_at AS TEXT) FROM completion")
                == ["\(Instant.local("10-18 00:00").seconds)"])
        #expect(try bench.count("statistic WHERE completions > 0") == 0)
        #expect(try bench.count("undo") == 2)
        // A second scheduler, a replay: nothing more.
        #expect(try house.rollOver(at: "10-18 00:00") == 0)
        #expect(try bench.periods(id) == ["4/3 1"])
        #expect(try bench.store.read { try $0.earliestLook() } == .local("10-25 00:00"))
    }

    @Test func `Golden 78, Q-7: down from Monday to Thursday`() throws {
        let house = try Clockwork(at: "10-12 10:00")
        let (bench, ann) = (house.bench, house.ann)
        let id = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
        try bench.log(2, on: id, as: ann)
        #expect(try house.rollOver(at: "10-15 10:00") == 1)
        #expect(try bench.periods(id) == ["2/2 1", "0/2 0", "0/2 0"])
        #expect(
            try bench.rows("SELECT cast(completed_at AS TEXT) FROM completion")
                == ["\(Instant.local("10-13 00:00").seconds)"])
        #expect(try bench.count(of: id, as: ann) == 0)
        #expect(try bench.item(id).progressPeriodStart == .local("10-15 00:00"))
    }

    @Test func `Q-6: only open quotas are woken for; one out of the trash catches up`() throws {
        let house = try Clockwork(at: "10:00")
        let (bench, ann) = (house.bench, house.ann)
        let id = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
        try bench.log(on: id, as: ann)
        try bench.trash(id, as: ann)
        #expect(try bench.store.read { try $0.earliestLook() } == nil)
        #expect(try house.rollOver(at: "10-16 12:00") == 0)
        let restored = try bench.act("restore", id, as: ann)
        #expect(restored["progress_current"] == 0)
        #expect(try bench.periods(id) == ["1/2 0", "0/2 0"])
        #expect(try bench.store.read { try $0.earliestLook() } == .local("10-17 00:00"))
    }

    @Test func `Q-6: many at one boundary are closed a part at a time, whoever is stopped leaves the rest`()
        throws
    {
        let house = try Clockwork(at: "10:00")
        let (bench, ann) = (house.bench, house.ann)
        for number in 1...130 { _ = try bench.makeQuota("quota \(number)", "FREQ=DAILY", 2, by: ann) }
        bench.at("10-15 00:00")
        // One part, and then the process ends.
        #expect(try bench.store.write(at: bench.clock) { try $0.rollOverDue(limit: 7) } == 7)
        #expect(try bench.count("quota_period") == 7)
        #expect(try house.rollOver(at: "10-15 00:00:01") == 123)
        #expect(try bench.count("quota_period") == 130)
    }

    @Test func `Q-6: at the boundary the scheduler wakes and closes, by itself`() throws {
        // Far ahead, so that the kernel's timer, which knows the real time, sleeps as the fixed clock says.
        let house = try Clockwork(at: "2098-10-14 10:00")
        let (bench, ann) = (house.bench, house.ann)
        let id = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
        try bench.log(2, on: id, as: ann)
        let scheduler = try Scheduler(
            apiSocket: house.door.path, clock: bench.clock, log: Logger(threshold: .debug, sink: bench.log))
        try scheduler.start()
        defer { scheduler.stop() }
        bench.at("2098-10-15 00:00")
        try bench.make("wakes the stream", by: ann)
        try bench.wait("the end of the day") { try bench.count("quota_period") == 1 }
        #expect(try bench.periods(id) == ["2/2 1"])
        #expect(try bench.item(id).progressPeriodStart == .local("2098-10-15 00:00"))
        // It sleeps until the next one, and closes that, too.
        bench.at("2098-10-16 00:00")
        try bench.make("wakes the stream again", by: ann)
        try bench.wait("the end of the next day") { try bench.count("quota_period") == 2 }
        #expect(try bench.periods(id) == ["2/2 1", "0/2 0"])
    }

    @Test func `Golden 77, X-19, Q-8: the week begins on Sunday instead of Monday`() throws {
        let house = try Clockwork(at: "10-12 09:00")
        let (bench, ann) = (house.bench, house.ann)
        try bench.set("week_start", "\"monday\"", of: ann)
        let id = try bench.makeQuota(by: ann)
        #expect(try bench.item(id).progressPeriodStart == .local("10-12 00:00"))
        #expect(try bench.store.read { try $0.earliestLook() } == .local("10-19 00:00"))
        bench.at("10:00")
        try bench.store.write(at: bench.clock) { transaction in
            try transaction.rollingOver(quotasOf: ann.id) {
                try transaction.setPreference("week_start", "\"sunday\"", of: ann.id)
            }
        }
        // The new boundary shows at once, and nothing has ended.
        #expect(try bench.store.read { try $0.earliestLook() } == .local("10-18 00:00"))
        #expect(try bench.count("quota_period") == 0)
        #expect(try house.rollOver(at: "10-18 00:00") == 1)
        #expect(try bench.store.read { try $0.earliestLook() } == .local("10-25 00:00"))
    }

    @Test
    func
        `X-19, Q-7: on Sunday noon the old week ends at midnight, and what was logged since is the new one's`()
        throws
    {
        let bench = try Bench()
        bench.at("10-16 09:00")
        let ann = try bench.add()
        try bench.set("week_start", "\"monday\"", of: ann)
        let id = try bench.makeQuota(by: ann)
        try bench.log(2, on: id, as: ann)
        bench.at("10-18 09:00")
        try bench.log(1, on: id, as: ann)
        bench.at("10-18 12:00")
        try bench.store.write(at: bench.clock) { transaction in
            try transaction.rollingOver(quotasOf: ann.id) {
                try transaction.setPreference("week_start", "\"sunday\"", of: ann.id)
            }
        }
        #expect(try bench.periods(id) == ["2/3 0"])
        #expect(try bench.count(of: id, as: ann) == 1)
    }

    @Test func `A66, X-17, X-19: a new week start or zone moves the boundary in the same call`() throws {
        let bench = try Bench()
        bench.at("10-12 09:00")
        let ann = try bench.add()
        try bench.set("week_start", "\"monday\"", of: ann)
        let id = try bench.makeQuota(by: ann)
        bench.at("10-18 12:00")
        try bench.log(2, on: id, as: ann)
        func set(_ body: JSONValue) throws {
            #expect(try bench.call("PATCH", "/api/user/preferences", body, as: ann).status == 200)
        }
        try set(["week_start": "sunday"])
        #expect(try bench.periods(id) == ["0/3 0"])
        #expect(try bench.count(of: id, as: ann) == 2)
        #expect(try bench.store.read { try $0.earliestPeriodEnd() } == .local("10-25 00:00"))
        // Q-8: midnight of Berlin is 17:00 in Chicago; the week is not aligned there and ends with its Saturday.
        try set(["timezone": "Europe/Berlin"])
        #expect(try bench.store.read { try $0.earliestPeriodEnd() } == .local("10-24 17:00"))
        #expect(try bench.count(of: id, as: ann) == 2)
    }

    @Test func `Q-3: quotas of an older database are looked at once, and closed where they have ended`()
        throws
    {
        let house = try Clockwork(at: "10:00")
        let (bench, ann) = (house.bench, house.ann)
        let id = try bench.makeQuota(by: ann)
        try bench.log(2, on: id, as: ann)
        // As migration 2 leaves them.
        try bench.change("UPDATE task SET period_ends_at = 0")
        #expect(try bench.count(of: id, as: ann) == 2)
        #expect(try bench.call("GET", "/api/tasks", as: ann)["tasks"].array?[0]["progress_current"] == 2)
        #expect(try house.rollOver(at: "10:00") == 1)
        #expect(try bench.count("quota_period") == 0)
        #expect(try bench.store.read { try $0.earliestLook() } == .local("10-18 00:00"))
        try bench.change("UPDATE task SET period_ends_at = 0, progress_period_start = NULL")
        #expect(try house.rollOver(at: "10:00") == 1)
        #expect(try bench.item(id).progressPeriodStart == .local("10-11 00:00"))
        #expect(try bench.count(of: id, as: ann) == 2)
    }

    @Test func `Q-6, Q-13: a shared quota closes in its owner's zone, and everyone is told`() throws {
        let house = try Clockwork(at: "10:00")
        let (bench, ann) = (house.bench, house.ann)
        let bob = try bench.add("bob", zone: "Asia/Tokyo")
        let project = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let id = try bench.makeQuota("Dishes", "FREQ=DAILY", 1, ["project_id": .int(project)], by: ann)
        try bench.log(on: id, as: bob)
        let events = try bench.count("event WHERE user_id = \(bob.id.rawValue)")
        #expect(try house.rollOver(at: "10-15 00:00") == 1)
        #expect(try bench.count("event WHERE user_id = \(bob.id.rawValue)") == events + 1)
        #expect(try bench.rows("SELECT cast(user_id AS TEXT) FROM completion") == ["\(ann.id.rawValue)"])
    }
}

@Suite("Q-27 Undo across a boundary")
struct QuotaBoundaryTests {
    @Test
    func `Golden 112: +1 on Saturday night, undo on Sunday: the new week's count stays, the entry is undone`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        bench.at("10-17 23:59")
        try bench.log(on: id, as: ann)
        bench.at("10-18 00:01")
        try bench.log(2, on: id, as: ann)
        try bench.undo(as: ann)
        try bench.redo(as: ann)
        #expect(try bench.count(of: id, as: ann) == 2)
        try bench.undo(as: ann)
        let old = try bench.undo(as: ann)
        #expect(old["undone_action"] == "progress" && old["tasks_affected"] == 0)
        #expect(try bench.count(of: id, as: ann) == 0)
        #expect(try bench.progress(id) == [1])
        #expect(try bench.periods(id) == ["1/3 0"])
        // The stack is not stuck.
        #expect(try bench.undo(as: ann)["undone_action"] == "create")
        for _ in 1...3 { try bench.redo(as: ann) }
        #expect(try bench.count(of: id, as: ann) == 2)
        #expect(try bench.progress(id) == [1, 2])
    }

    @Test func `Q-27: the undo itself closes the week that nobody has closed`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        bench.at("10-17 23:59")
        try bench.log(3, on: id, as: ann)
        bench.at("10-18 00:01")
        let undone = try bench.undo(as: ann)
        #expect(undone["tasks_affected"] == 0 && undone["undone_action"] == "progress")
        #expect(try bench.periods(id) == ["3/3 1"])
        #expect(try bench.get(id, as: ann)["completion_count"] == 1)
        #expect(try bench.progress(id) == [3])
        try bench.redo(as: ann)
        #expect(try bench.count(of: id, as: ann) == 0)
    }

    @Test func `Q-27: what does not belong to the period comes back all the same`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
        bench.at("23:58")
        try bench.patch(id, ["title": "Floss well", "progress_current": 2], as: ann)
        try bench.trash(id, as: ann)
        bench.at("10-15 00:01")
        try bench.undo(as: ann)
        #expect(try bench.get(id, as: ann)["deleted_at"] == .null)
        try bench.log(on: id, as: ann)
        try bench.undo(as: ann)
        try bench.undo(as: ann)
        let quota = try bench.get(id, as: ann)
        #expect(quota["title"] == "Floss" && quota["progress_current"] == 0)
        #expect(try bench.periods(id) == ["2/2 1"])
    }

    @Test func `Q-27, C-5: a period closed by hand stays closed, with its completion and the day's count`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
        try bench.log(2, on: id, as: ann)
        try bench.act("done", id, ["close_period": true], as: ann)
        bench.at("10-15 00:01")
        try bench.undo(as: ann)
        #expect(try bench.count("completion") == 1)
        #expect(try bench.get(id, as: ann)["completion_count"] == 1)
        #expect(try bench.rows("SELECT completions FROM statistic") == ["1"])
    }

    @Test func `Q-27: within the week another day is no boundary`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        try bench.prompt("did", id, as: ann)
        bench.at("10-15 09:00")
        try bench.undo(as: ann)
        #expect(try bench.count(of: id, as: ann) == 0)
        #expect(try bench.progress(id) == [])
        try bench.redo(as: ann)
        #expect(try bench.count(of: id, as: ann) == 1)
        #expect(try bench.item(id).quotaDay(try unwrap(LocalDate("2026-10-14"))).did.count == 1)
    }

    @Test func `U-4, U-5: two people on one quota: each undo takes off what is one's own`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let id = try bench.makeQuota("Dishes", "FREQ=DAILY", 5, ["project_id": .int(house)], by: ann)
        try bench.log(2, on: id, as: ann)
        try bench.log(1, on: id, as: bob)
        let undone = try bench.undo(as: ann)
        #expect(undone["skipped_fields"] == [])
        #expect(try bench.count(of: id, as: ann) == 1)
        #expect(try bench.progress(id) == [1])
        try bench.redo(as: ann)
        #expect(try bench.count(of: id, as: ann) == 3)
        // Bob takes all of it back; then there is nothing of Ann's left to undo.
        try bench.log(-3, on: id, as: bob)
        try bench.undo(as: ann)
        #expect(try bench.count(of: id, as: ann) == 0)
        #expect(try bench.progress(id).reduce(0, +) == 0)
        try bench.redo(as: ann)
        #expect(try bench.count(of: id, as: ann) == Int64(try bench.progress(id).reduce(0, +)))
    }
}

extension Clockwork {
    /// The scheduler asks at this time; how many quotas had their periods closed.
    fileprivate func rollOver(at text: String) throws -> Int {
        bench.at(text)
        return try door.client.call(ClockInterface.Housekeep.self, .init()).done
    }
}
