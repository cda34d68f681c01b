import Interfaces
import PushStore
import Testing
import Time

@Suite("push.db: what comes in")
struct AcceptTests {
    @Test func `N-3 a message goes to all targets of its user and to nobody else's`() throws {
        let house = try TemporaryStore()
        try house.register(.browser("a"))
        try house.register(.phone())
        try house.register(.browser("b"), user: 2)
        try house.accept(house.alert(1))
        let outgoing = try house.next()
        #expect(outgoing.map(\.target.address) == [.browser("a"), .phone()])
        #expect(outgoing.allSatisfy { $0.attempt == 1 && $0.message.alert?.title == "Task 1" })
    }

    @Test func `an id that was had is dropped, also after a restart, and for a week`() throws {
        let house = try TemporaryStore()
        try house.register(.browser())
        let alert = house.alert(1)
        try house.accept(alert, alert)
        #expect(try house.sendAll() == [alert.id])
        try house.reopen()
        house.now = house.now.adding(seconds: 7 * 86_400)
        try house.store.prune(at: house.now)
        var again = alert
        again.expiresAt = house.now.adding(seconds: 60)
        try house.accept(again)
        #expect(try house.sendAll() == [])
    }

    @Test func `lines of the log go after 30 days`() throws {
        let house = try TemporaryStore()
        try house.register(.browser())
        try house.store.prune(at: house.now.adding(seconds: 30 * 86_400))
        #expect(try house.log().count == 1)
        try house.store.prune(at: house.now.adding(seconds: 30 * 86_400 + 1))
        #expect(try house.log().isEmpty)
    }

    @Test func `N-40 Apple's browsers are sent nothing that shows nothing`() throws {
        let house = try TemporaryStore()
        try house.register(.browser("a", at: "web.push.apple.com"))
        try house.register(.browser("b"))
        try house.accept(house.dismiss(1), house.message(.dismissAll))
        let outgoing = try house.sendAll()
        #expect(outgoing.count == 2)
        #expect(try house.log().filter { $0.outcome == .sent }.allSatisfy { $0.target == "push.example.org" })
        try house.accept(house.alert(1))
        #expect(try house.next().count == 2)
    }

    @Test(arguments: [".watchapp", ".watchkitapp"])
    func `Golden 106, N-51 the badge goes to phone and Mac, not to a watch`(suffix: String) throws {
        let house = try TemporaryStore()
        try house.register(.phone("aa"))
        try house.register(.phone("cc", bundle: "org.example.app.mac"))
        try house.register(.phone("bb", bundle: "org.example.app\(suffix)"))
        try house.accept(house.badge(3))
        #expect(
            Set(try house.next().map(\.target.address))
                == [.phone("aa"), .phone("cc", bundle: "org.example.app.mac")])
    }

    @Test func `N-1 a channel that is not configured blocks nothing and says so for alerts`() throws {
        let house = try TemporaryStore()
        try house.register(.phone())
        try house.store.accept(
            [Incoming(house.alert(1)), Incoming(house.badge(1))], configured: [.webpush], at: house.now)
        #expect(try house.store.counts().queued == 0)
        let dropped = try house.log().filter { $0.outcome == .dropped }
        #expect(dropped.map(\.reason) == ["not configured"])
    }

    @Test func `a refused message leaves a line in the log and nothing else`() throws {
        let house = try TemporaryStore()
        let message = house.message(.register)
        try house.store.accept(
            [Incoming(message, refusal: "no endpoint")], configured: [.webpush], at: house.now)
        #expect(try house.store.counts().subscriptions == 0)
        #expect(try house.log().map(\.reason) == ["no endpoint"])
        #expect(try house.log().map(\.outcome) == [.refused])
    }

    @Test func `a target that another user registers is his, and what waited for the first is dropped`()
        throws
    {
        let house = try TemporaryStore()
        try house.register(.browser())
        try house.accept(house.alert(1))
        try house.register(.browser(), user: 2)
        #expect(try house.next().isEmpty)
        #expect(try house.log().first?.reason == "device moved to another user")
        #expect(try house.store.targets(of: 2, .webpush).count == 1)
        #expect(try house.store.targets(of: 1, .webpush).isEmpty)
    }

    @Test func `unregistering drops what waits`() throws {
        let house = try TemporaryStore()
        try house.register(.phone("ab12"))
        try house.accept(house.alert(1))
        var message = house.message(.unregister, user: 5)  // A86: by whoever knows the token
        message.registration = Push.Registration(channel: .apns, deviceToken: "AB12")
        try house.accept(message)
        #expect(try house.store.counts() == .init(queued: 0, subscriptions: 0, devices: 0, widgetTokens: 0))
        #expect(try house.log().first?.reason == "unregistered")
    }

    @Test func `a forgotten user leaves no trace, even with an answer on its way`() throws {
        let house = try TemporaryStore()
        try house.register(.browser())
        try house.accept(house.alert(1), house.alert(2))
        let underWay = try house.next(limit: 1)
        try house.accept(house.message(.forgetUser))
        try house.end(underWay)
        #expect(try house.store.counts() == .init(queued: 0, subscriptions: 0, devices: 0, widgetTokens: 0))
        #expect(try house.log().isEmpty)
        #expect(try house.next().isEmpty)
    }
}
