// opentask-api: owns opentask.db; answers people over HTTP and the other services over Varlink.

import ApiService
import ApiStore
import Daemon
import HTTPServer
import Log
import Time
import Varlink

let daemon = Daemon("opentask-api")
let settings = daemon.start("read the settings") { try Settings(environment: daemon.environment) }

// What it owns.
let store = daemon.start("open the database", refusing: StoreUnusable.self) {
    try Store(path: settings.databasePath, quotaPrompts: settings.quotaPromptsEnabled)
}
let parts = Parts(store: store, clock: SystemClock(), settings: settings, log: daemon.log)
daemon.start("make the first user") { try Accounts(parts).addFirst(environment: daemon.environment) }

// What it answers, and what leaves.
let service = daemon.start("start its parts") { try Service(parts) }
// Writers wait for the disk inside their handlers, and those that wait together share its answer: hence more threads than
// cores. But each thread more makes small answers dearer by switching (docs/bench.md).
daemon.serve(WebServer(handler: service.api, threads: 8), on: "http")
daemon.serve(
    VarlinkServer(service.varlink, permit: daemon.permit) { [log = daemon.log] method, error in
        log(.error, "a method failed", ["method": method, "error": "\(error)"])
    }, on: "varlink")
daemon.atEnd(service.stop)
daemon.run()
