import Interfaces
import PushStore
import TestSupport
import Testing
import Time

@Suite("push.db: what leaves, and what became of it")
struct TurnTests {
    @Test func `invariant 3: one lane leaves one after the other, others side by side`() throws {
        let house = try TemporaryStore()
        try house.register(.browser())
        let (one, again, other) = (house.alert(1), house.alert(1), house.alert(2))
        try house.accept(one, again, other)
        let first = try house.next()
        #expect(first.map(\.message.id) == [one.id, other.id])
        #expect(try house.next().isEmpty)
        try house.end([first[0]])
        #expect(try house.next().map(\.message.id) == [again.id])
    }

    @Test func `invariant 3: a dismissal overtakes nothing and is not overtaken`() throws {
        let house = try TemporaryStore()
        try house.register(.browser())
        let before = house.alert(1)
        let dismissal = house.dismiss(9)
        let after = house.alert(2)
        try house.accept(before, dismissal, after)
        let first = try house.next()
        #expect(first.map(\.message.id) == [before.id])
        #expect(try house.next().isEmpty)
        try house.end(first)
        let second = try house.next()
        #expect(second.map(\.message.id) == [dismissal.id])
        #expect(try house.next().isEmpty)
        try house.end(second)
        #expect(try house.next().map(\.message.id) == [after.id])
    }

    @Test func `invariant 4: behind a delivery that waits for its next attempt nothing leaves`() throws {
        let house = try TemporaryStore()
        try house.register(.browser("a"))
        try house.register(.browser("b"))
        try house.accept(house.alert(1))
        let outgoing = try house.next()
        let later = house.now.adding(seconds: 30)
        try house.end([outgoing[0]], .retry(at: later, status: 503, reason: "answered 503"))
        try house.end([outgoing[1]])
        try house.accept(house.alert(2))
        let turn = try house.store.turn([], limit: 64, at: house.now)
        #expect(turn.outgoing.map(\.target.address) == [.browser("b")])
        #expect(turn.next == later)
        house.now = later
        #expect(
            try house.next().map { "\($0.message.alert?.title ?? "") \($0.attempt)" } == [
                "Task 1 2", "Task 2 1",
            ])
    }

    @Test func `no more than the limit leave, of all and to one target`() throws {
        let house = try TemporaryStore()
        try house.register(.browser("a"))
        try house.register(.browser("b"))
        for task in 1...20 { try house.accept(house.alert(Int64(task))) }
        #expect(try house.store.turn([], limit: 3, perTarget: 8, at: house.now).outgoing.count == 3)
        #expect(try house.store.turn([], limit: 64, perTarget: 8, at: house.now).outgoing.count == 13)
        #expect(try house.store.turn([], limit: 64, perTarget: 8, at: house.now).outgoing.isEmpty)
    }

    @Test func `everything leaves once, in order within its lane, however the turns fall`() throws {
        let house = try TemporaryStore()
        for name in ["a", "b", "c"] { try house.register(.browser(name)) }
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        var accepted: [String] = []
        var left: [Int64: [String]] = [:]
        var underWay: [Outgoing] = []
        for _ in 0..<300 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let alert = house.alert(Int64.random(in: 1...5, using: &random))
                accepted.append(alert.id)
                try house.accept(alert)
            case 1:
                underWay += try house.next(limit: Int.random(in: 1...6, using: &random))
            case 2 where !underWay.isEmpty:
                let ended = underWay.remove(at: Int.random(in: 0..<underWay.count, using: &random))
                if Bool.random(using: &random) {
                    left[ended.target.id, default: []].append(ended.message.id)
                    try house.end([ended])
                } else {
                    try house.end([ended], .retry(at: house.now, status: 500, reason: "answered 500"))
                }
            default:
                // A kill: what is under way may or may not have arrived; here it did not.
                underWay = []
                try house.reopen()
            }
        }
        try house.reopen()
        while case let outgoing = try house.next(), !outgoing.isEmpty {
            for one in outgoing { left[one.target.id, default: []].append(one.message.id) }
            try house.end(outgoing)
        }
        #expect(left.count == (accepted.isEmpty ? 0 : 3), "seed \(seed)")
        for ids in left.values { #expect(ids.sorted() == accepted.sorted(), "seed \(seed)") }
    }

    @Test func `what the last run left without an answer is sent again, and counted`() throws {
        let house = try TemporaryStore()
        try house.register(.browser())
        try house.accept(house.alert(1), house.alert(2))
        #expect(try house.next(limit: 1).count == 1)
        try house.reopen()
        #expect(house.store.interrupted == 1)
        let outgoing = try house.next()
        #expect(outgoing.map(\.attempt) == [2, 1])
        try house.end(outgoing)
        try house.reopen()
        #expect(house.store.interrupted == 0)
        #expect(try house.next().isEmpty)
    }

    @Test func `an interrupted attempt counts as none`() throws {
        let house = try TemporaryStore()
        try house.register(.browser())
        try house.accept(house.alert(1))
        try house.end(try house.next(), .interrupted)
        #expect(try house.next().map(\.attempt) == [1])
    }

    @Test func `N-41 what was decided before the dismissal does not leave`() throws {
        let house = try TemporaryStore()
        try house.register(.browser())
        let before = house.now.adding(seconds: -1)
        let after = house.now.adding(seconds: 1)
        let (waiting, other, late) = (house.alert(1, at: before), house.alert(2), house.alert(1, at: after))
        try house.accept(waiting, other, late)
        let dismissal = house.dismiss(1)
        try house.accept(dismissal)
        #expect(try house.sendAll() == [other.id, late.id, dismissal.id])
        #expect(try house.log().last { $0.outcome == .dropped }?.messageID == waiting.id)
    }

    @Test func `N-41 what was under way is not repeated`() throws {
        let house = try TemporaryStore()
        try house.register(.browser())
        try house.accept(house.alert(1))
        let underWay = try house.next()
        let dismissal = house.dismiss(1)
        try house.accept(dismissal)
        try house.end(underWay, .retry(at: house.now, status: 500, reason: "answered 500"))
        #expect(try house.sendAll() == [dismissal.id])
    }

    @Test func `what has expired does not leave`() throws {
        let house = try TemporaryStore()
        try house.register(.browser())
        var alert = house.alert(1)
        alert.expiresAt = house.now.adding(seconds: 10)
        try house.accept(alert)
        house.now = house.now.adding(seconds: 10)
        #expect(try house.next().isEmpty)
        #expect(try house.log().first?.reason == "expired")
        #expect(try house.store.counts().queued == 0)
    }

    @Test func `N-52 a number is sent when it differs from the last one sent`() throws {
        let house = try TemporaryStore()
        try house.register(.phone())
        let first = house.badge(2)
        try house.accept(first)
        #expect(try house.sendAll() == [first.id])
        try house.accept(house.badge(2))
        #expect(try house.sendAll() == [])
        let carried = house.alert(1, badge: 3)
        try house.accept(carried)
        #expect(try house.sendAll() == [carried.id])
        try house.accept(house.badge(3))
        #expect(try house.sendAll() == [])
        let zero = house.badge(0)
        try house.accept(zero)
        #expect(try house.sendAll() == [zero.id])
    }

    @Test func `N-52 a failed send forgets the number, a registration too`() throws {
        let house = try TemporaryStore()
        try house.register(.phone())
        try house.accept(house.badge(2))
        try house.end(try house.next())
        try house.accept(house.badge(4))
        try house.end(try house.next(), .failed(status: 400, reason: "BadTopic"))
        let again = house.badge(2)
        try house.accept(again)
        #expect(try house.sendAll() == [again.id])
        try house.register(.phone())
        let fresh = house.badge(2)
        try house.accept(fresh)
        #expect(try house.sendAll() == [fresh.id])
    }

    @Test func `only the newest number leaves`() throws {
        let house = try TemporaryStore()
        try house.register(.phone())
        let newest = house.badge(7)
        try house.accept(house.badge(5), house.badge(6))
        try house.accept(newest)
        #expect(try house.sendAll() == [newest.id])
    }

    @Test func `N-54 the other environment is tried at once, and kept when it takes the push`() throws {
        let house = try TemporaryStore()
        try house.register(.phone("aa", .production))
        try house.accept(house.alert(1))
        let first = try house.next()
        #expect(first.map(\.isSwapped) == [false])
        try house.end(first, .swap(status: 400, reason: "BadDeviceToken"))
        let second = try house.next()
        #expect(second.map(\.isSwapped) == [true])
        try house.end(second)
        #expect(try house.store.targets(of: 1, .apns).map(\.address) == [.phone("aa", .development)])
        try house.accept(house.alert(2))
        #expect(try house.next().map(\.isSwapped) == [false])
    }

    @Test func `N-54 a device that is gone takes its waiting messages with it`() throws {
        let house = try TemporaryStore()
        try house.register(.phone())
        try house.accept(house.alert(1), house.alert(1))
        try house.end(try house.next(), .gone(since: nil, status: 410, reason: "Unregistered"))
        #expect(try house.store.counts() == .init(queued: 0, subscriptions: 0, devices: 0, widgetTokens: 0))
        #expect(try house.log().prefix(2).map(\.reason) == ["device gone", "Unregistered"])
    }

    @Test func `N-54 who registered again after the device was found gone keeps it`() throws {
        let house = try TemporaryStore()
        try house.register(.phone())
        try house.accept(house.alert(1))
        let outgoing = try house.next()
        try house.end(
            outgoing, .gone(since: house.now.adding(seconds: -60), status: 410, reason: "Unregistered"))
        #expect(try house.store.counts().devices == 1)
    }

    @Test func `the queue is told with its oldest`() throws {
        let house = try TemporaryStore()
        #expect(try house.store.counts().oldestQueuedAt == nil)
        try house.register(.browser())
        let then = house.now.adding(seconds: -100)
        try house.accept(house.alert(1, at: then), house.alert(2))
        #expect(
            try house.store.counts()
                == .init(queued: 2, oldestQueuedAt: then, subscriptions: 1, devices: 0, widgetTokens: 0))
    }
}
