import Interfaces
import PushStore
import Testing
import Time

@Suite("push.db: events of webhooks")
struct WebhookTests {
    private let house: TemporaryStore

    init() throws { house = try TemporaryStore() }

    @discardableResult
    private func accept(webhook: Int64 = 1, user: Int64 = 1) throws -> String {
        var message = house.message(.webhook, user: user)
        message.event = Push.WebhookEvent(
            webhook: webhook, url: "http://x/", secret: "s", event: "task.created", data: "{}")
        try house.accept(message)
        return message.id
    }

    private func tell(_ kind: Push.Message.Kind, webhook: Int64 = 1) throws {
        var message = house.message(kind)
        message.webhook = webhook
        try house.accept(message)
    }

    private func next(limit: Int = 32, resting: Set<String> = []) throws -> [WebhookDelivery] {
        try house.store.webhookTurn([], limit: limit, resting: resting, at: house.now).outgoing
    }

    private func end(_ deliveries: [WebhookDelivery], _ ending: WebhookEnding) throws {
        let ended = deliveries.map { EndedWebhook($0, payload: "p", ending, at: house.now) }
        _ = try house.store.webhookTurn(ended, limit: 0, at: house.now)
    }

    /// When the store is to be asked again, while nothing is due.
    private func nextTurn() throws -> Instant? {
        let turn = try house.store.webhookTurn([], limit: 1, at: house.now)
        #expect(turn.outgoing.isEmpty)
        return turn.next
    }

    private func log(_ webhook: Int64 = 1, user: Int64 = 1) throws -> [Push.WebhookAttempt] {
        try house.store.webhookLog(of: user, webhook: webhook, limit: 50, at: house.now)
    }

    private let failed = WebhookEnding.failed(status: 500, error: "no")

    @Test func `first attempts go in order, one after the end of the other, each webhook by itself`() throws {
        let ids = try (1...3).map { _ in try accept() }
        let other = try accept(webhook: 2)
        let first = try next()
        #expect(first.map(\.id) == [ids[0], other])
        #expect(try next().isEmpty)
        try end([first[1]], .delivered(status: 200))
        try end([first[0]], .delivered(status: 204))
        #expect(try next().map(\.id) == [ids[1]])
    }

    @Test func `three attempts: at once, after 1 s, after 5 s more; then it is given up`() throws {
        let id = try accept()
        var delivery = try next()
        #expect(delivery.map(\.attempt) == [1])
        try end(delivery, failed)
        #expect(try nextTurn() == house.now.adding(seconds: 1))
        house.now = house.now.adding(seconds: 1)
        delivery = try next()
        #expect(delivery.map(\.attempt) == [2] && delivery.map(\.id) == [id])
        try end(delivery, failed)
        #expect(try nextTurn() == house.now.adding(seconds: 5))
        house.now = house.now.adding(seconds: 4)
        #expect(try next().isEmpty)
        house.now = house.now.adding(seconds: 1)
        delivery = try next()
        #expect(delivery.map(\.attempt) == [3] && delivery.map(\.id) == [id])
        try end(delivery, failed)
        #expect(try nextTurn() == nil)
        house.now = house.now.adding(seconds: 3600)
        #expect(try next().isEmpty)
        #expect(try log().map(\.attempt) == [3, 2, 1])
        #expect(try log().allSatisfy { $0.status == 500 && $0.error == "no" && $0.payload == "p" })
        #expect(try house.store.counts().queued == 0)
    }

    @Test func `a retry holds up no later event`() throws {
        try accept()
        let second = try accept()
        try end(try next(), failed)
        #expect(try next().map(\.id) == [second])
    }

    @Test func `what rests by the finer clock is left alone`() throws {
        let id = try accept()
        try end(try next(), failed)
        house.now = house.now.adding(seconds: 1)
        #expect(try next(resting: [id]).isEmpty)
        #expect(try next().map(\.id) == [id])
    }

    @Test func `a process that is killed repeats the attempt under way, with the same id and number`() throws
    {
        let id = try accept()
        try end(try next(), failed)
        house.now = house.now.adding(seconds: 1)
        #expect(try next().map(\.attempt) == [2])
        try house.reopen()
        #expect(house.store.interrupted == 1)
        #expect(try next().map(\.attempt) == [2])
        try house.reopen()
        let again = try next()
        #expect(again.map(\.id) == [id])
        try end(again, .interrupted)
        #expect(try next().map(\.attempt) == [2], "a stop that waited in vain leaves no trace")
        #expect(try log().map(\.attempt) == [1])
    }

    @Test func `an id that was had is not told again`() throws {
        var message = house.message(.webhook)
        message.event = Push.WebhookEvent(webhook: 1, url: "http://x/", secret: "s", event: "e", data: "{}")
        try house.accept(message, message)
        try end(try next(), .delivered(status: 200))
        try house.accept(message)
        #expect(try next().isEmpty)
    }

    @Test func `inactive: what waits is dropped, what is under way is not repeated, the log stays`() throws {
        try accept()
        try accept()
        let delivery = try next()
        try end(delivery, failed)
        let under = try next()
        try accept(webhook: 2)
        try tell(.dropWebhook)
        house.now = house.now.adding(seconds: 10)
        #expect(try next().map(\.event.webhook) == [2])
        try end(under, failed)
        house.now = house.now.adding(seconds: 10)
        #expect(try next().isEmpty)
        #expect(try log().count == 2)
        try accept()
        #expect(try next().count == 1, "active again, it is told what comes from now on")
    }

    @Test func `gone: its log goes too, and an answer that comes late leaves no trace`() throws {
        try accept()
        let delivery = try next()
        try end(delivery, failed)
        house.now = house.now.adding(seconds: 1)
        let under = try next()
        try tell(.forgetWebhook)
        #expect(try log().isEmpty)
        try end(under, failed)
        #expect(try log().isEmpty)
        #expect(try house.store.counts().queued == 0)
    }

    @Test func `another user's webhook is neither dropped nor shown`() throws {
        try accept(user: 2)
        try tell(.forgetWebhook)
        let delivery = try next()
        #expect(delivery.count == 1)
        try end(delivery, .delivered(status: 200))
        #expect(try log(1, user: 1).isEmpty)
        #expect(try log(1, user: 2).map(\.status) == [200])
    }

    @Test func `a user who is forgotten leaves nothing`() throws {
        try accept()
        try accept()
        try end(try next(), failed)
        try house.accept(house.message(.forgetUser))
        house.now = house.now.adding(seconds: 10)
        #expect(try next().isEmpty)
        #expect(try log().isEmpty)
    }

    @Test func `attempts are kept 7 days`() throws {
        try accept()
        try end(try next(), .delivered(status: 200))
        house.now = house.now.adding(seconds: 7 * 86_400)
        try house.store.prune(at: house.now)
        #expect(try log().count == 1)
        house.now = house.now.adding(seconds: 1)
        #expect(try log().isEmpty, "not shown any more")
        try house.store.prune(at: house.now)
        house.now = house.now.adding(seconds: -1)
        #expect(try log().isEmpty, "and gone")
    }

    @Test func `a dead receiver takes four further attempts at a time, not all there are`() throws {
        for _ in 1...6 {
            try accept()
            try end(try next(), failed)
        }
        house.now = house.now.adding(seconds: 1)
        let again = try next()
        #expect(again.count == 4)
        #expect(try next().isEmpty)
        try end([again[0]], .delivered(status: 200))
        #expect(try next().count == 1)
    }

    @Test func `an alert that is put off waits, and holds up only what would replace it`() throws {
        try house.register(.browser())
        var later = house.alert(1)
        later.notBefore = house.now.adding(seconds: 3)
        let same = house.alert(1)
        let other = house.alert(2)
        let dismissal = house.dismiss(9)
        try house.accept(later, same, other)
        #expect(try house.next().map(\.message.id) == [other.id])
        let turn = try house.store.turn([], limit: 64, at: house.now)
        #expect(turn.next == house.now.adding(seconds: 3))
        try house.accept(dismissal)
        house.now = house.now.adding(seconds: 3)
        #expect(try house.next().map(\.message.id) == [later.id])
    }

    @Test func `an alert without any device says so in the log`() throws {
        let alert = house.alert(1)
        try house.accept(alert, house.badge(1), house.dismiss(1))
        #expect(try house.log().map(\.reason) == ["no device"])
        #expect(try house.store.log(of: 1, limit: 10, messages: [alert.id]).map(\.outcome) == [.dropped])
        #expect(try house.store.log(of: 1, limit: 10, messages: ["m0"]).isEmpty)
        #expect(try house.store.log(of: 2, limit: 10, messages: [alert.id]).isEmpty)
    }
}
