import Daemon
import HTTPClient
import Interfaces
import Log
import PushService
import PushStore
import TestSupport
import Testing
import Time
import Varlink

@Suite("org.opentask.push")
struct MethodsTests {
    private struct Silence: LogSink {
        func write(_ level: LogLevel, _ message: String, _ fields: [String: String]) {}
    }

    @Test func `the whole interface is answered and nothing beside it`() throws {
        let folder = TemporaryFolder()
        let settings = try PushSettings(environment: Environment(["OPENTASK_STATE": folder.path]))
        let store = try DeliveryStore(path: settings.databasePath)
        let channels = try Channels(settings)
        let sender = HTTPSender(settings.senderSettings)
        let clock = FixedClock(Instant(seconds: 1_800_000_000))
        let dispatcher = try Dispatcher(
            store: store, channels: channels, sender: sender, clock: clock, log: Logger(sink: Silence()))
        let courier = try WebhookCourier(
            store: store, sender: sender, timeout: .seconds(1), clock: clock, log: Logger(sink: Silence()))
        let router = PushMethods(
            store: store, dispatcher: dispatcher, courier: courier, channels: channels, sender: sender,
            judge: Judge(allowPrivate: false), clock: clock
        ).router()
        #expect(router.handled == router.described)
        #expect(router.interfaces.map(\.name) == [Push.name])
    }
}
