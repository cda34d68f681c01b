import Dispatch
import Domain
import Interfaces
import JSON
import Log
import SchedulerService
import Synchronization
import TestSupport
import Testing
import Time
import Varlink

@Suite("The scheduler follows the api, over a real socket")
struct SchedulerLoopTests {
    @Test func `Watch tells the next instant at once and at each change of it`() throws {
        let house = try Clockwork()
        let told = Mutex<[Int64?]>([])
        let news = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let client = house.door.client
        DispatchQueue(label: "watch").async {
            try? client.stream(ClockInterface.Watch.self, .init()) { reply in
                told.withLock { $0.append(reply.next) }
                news.signal()
                return told.withLock { $0.count } < 5
            }
            ended.signal()
        }
        func next() throws -> Int64? {
            guard news.wait(timeout: .now() + 20) == .success else { throw Missing(description: "a word") }
            return told.withLock { $0.last } ?? -1
        }
        #expect(try next() == nil)
        let id = try house.make("12:00")
        #expect(try next() == Instant.local("12:00").seconds)
        let sooner = try house.make("09:00")
        #expect(try next() == Instant.local("09:00").seconds)
        try house.bench.patch(id, ["notes": "says nothing new"], as: house.ann)
        try house.bench.act("done", sooner, as: house.ann)
        #expect(try next() == Instant.local("12:00").seconds)
        try house.bench.trash(id, as: house.ann)
        #expect(try next() == nil)
        #expect(ended.wait(timeout: .now() + 20) == .success)
        #expect(told.withLock { $0.count } == 5)
    }

    /// Far ahead, so that the kernel's timer, which knows the real time, sleeps as the fixed clock says.
    private func far(_ time: String) -> String { "2098-10-14 \(time)" }

    private func start(_ house: Clockwork) throws -> Scheduler {
        let scheduler = try Scheduler(
            apiSocket: house.door.path, clock: house.bench.clock,
            log: Logger(threshold: .debug, sink: house.bench.log))
        try scheduler.start()
        return scheduler
    }

    @Test func `a target arrives: the house tells it once, and its repeat`() throws {
        let house = try Clockwork(at: far("08:00"))
        let scheduler = try start(house)
        defer { scheduler.stop() }
        let id = try house.make(far("09:00"))
        house.bench.at(far("09:00"))
        try house.bench.make("wakes the stream", by: house.ann)
        try house.bench.wait("the alert") { try house.bench.outbox().contains { $0.alert?.taskID == id } }
        #expect(try house.bench.look(id) == .local(far("09:30")))
        try house.bench.make("again", by: house.ann)
        house.bench.at(far("09:30"))
        try house.bench.make("and again", by: house.ann)
        try house.bench.wait("the repeat") {
            try house.bench.outbox().count { $0.alert?.taskID == id } == 2
        }
        #expect(try house.bench.outbox().count { $0.kind == .alert } == 2)
    }

    @Test func `an edit between the question and the report only delays it by a round`() throws {
        let house = try Clockwork(at: far("08:00"))
        let ids = try (1...20).map { try house.make(far("09:00"), "task \($0)") }
        house.bench.at(far("09:00"))
        let scheduler = try start(house)
        defer { scheduler.stop() }
        // Titles change all the while: many a decision is refused, none is lost.
        for turn in 1...5 {
            for id in ids { try house.bench.patch(id, ["title": .string("turn \(turn)")], as: house.ann) }
        }
        try house.bench.wait("all marks") { try house.bench.count("notified") == ids.count }
        let looks = try Set(ids.map { try house.bench.look($0) })
        #expect(looks == [.local(far("09:30"))])
    }

    @Test func `N-45: an hour after a test notification its task goes to the trash, by the clock alone`()
        throws
    {
        let house = try Clockwork(at: far("08:00"))
        let push = try PushDouble(house.bench)
        let answer = try house.bench.call(
            "POST", "/api/notifications/test", ["type": "high"], as: house.ann)
        let id = try unwrap(answer["task_id"].int)
        house.bench.at(far("09:00"))
        let scheduler = try start(house)
        defer { scheduler.stop() }
        try house.bench.wait("the trash") { try house.bench.item(id).deletedAt == .local(far("09:00")) }
        #expect(try house.bench.count("undo WHERE action = 'delete'") == 0)
        _ = push
    }

    @Test func `a scheduler that is started late tells what came meanwhile, and stops at once`() throws {
        let house = try Clockwork(at: far("08:00"))
        let id = try house.make(far("09:00"), priority: 1)
        house.bench.at(far("09:20"))
        let scheduler = try start(house)
        try house.bench.wait("the alert") { try house.bench.outbox().contains { $0.alert?.taskID == id } }
        scheduler.stop()
        #expect(try house.bench.look(id) == .local(far("13:00")))
        #expect(house.bench.log.all.contains { $0.contains("follows the api") })
    }
}
