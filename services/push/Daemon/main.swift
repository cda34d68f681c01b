// opentask-push: everything that leaves the house. Owns push.db; answers org.opentask.push.

import Daemon
import HTTPClient
import Log
import PushService
import PushStore
import Time
import Varlink

let daemon = Daemon("opentask-push")
let settings = daemon.start("read the settings") { try PushSettings(environment: daemon.environment) }
let clock = SystemClock()
for warning in settings.warnings {
    daemon.log(.warning, "a setting is worth a look", ["setting": warning])
}

// What it owns.
let channels = daemon.start("read the keys") { try Channels(settings) }
let store = daemon.start("open the database", refusing: StoreUnusable.self) {
    try DeliveryStore(path: settings.databasePath)
}

// What leaves.
let sender = HTTPSender(settings.senderSettings)
let dispatcher = daemon.start("start sending") {
    let dispatcher = try Dispatcher(
        store: store, channels: channels, sender: sender, clock: clock, log: daemon.log)
    try dispatcher.start()
    return dispatcher
}
let courier = daemon.start("start the webhooks") {
    let courier = try WebhookCourier(
        store: store, sender: HTTPSender(settings.webhookSenderSettings), timeout: settings.webhookTimeout,
        clock: clock, log: daemon.log)
    try courier.start()
    return courier
}

// What it answers.
let methods = PushMethods(
    store: store, dispatcher: dispatcher, courier: courier, channels: channels, sender: sender,
    judge: Judge(allowPrivate: settings.allowPrivate), clock: clock)
let router = methods.router()
let varlink = VarlinkServer(router, permit: daemon.permit) { [log = daemon.log] method, error in
    log(.error, "a call failed", ["method": method, "error": "\(error)"])
}

daemon.serve(PushServer(varlink, dispatcher: dispatcher, courier: courier), on: "varlink")
daemon.atEnd(dispatcher.stop)
daemon.atEnd(courier.stop)
daemon.healthy(when: { dispatcher.isHealthy && courier.isHealthy })
daemon.run()
