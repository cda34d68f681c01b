// opentask-enrich: understands lines of text. Claims them from the api, asks an enricher, guards the answer, reports.
// It is the built-in enricher too, on a socket of its own.

import Daemon
import EnrichService
import Log
import Varlink

let daemon = Daemon("opentask-enrich")
let settings = daemon.start("read the settings") { try EnrichSettings(daemon.environment) }

// What it works through.
let worker = daemon.start("follow the queue") {
    try QueueWorker(
        apiSocket: settings.apiSocket, enrichers: settings.enrichers, cores: settings.cores, log: daemon.log)
}

// What it answers.
let methods = EnrichMethods(worker: worker, enrichers: settings.enrichers, log: daemon.log)
let router = methods.router()
let builtin = BuiltinMethods(cores: settings.cores).router()

daemon.serve(EnrichDoor(VarlinkServer(router, permit: daemon.permit), worker: worker), on: "varlink")
daemon.serve(VarlinkServer(builtin, limits: BuiltinMethods.limits, permit: daemon.permit), on: "builtin")
daemon.start("claim texts") { try worker.start() }
daemon.run()
