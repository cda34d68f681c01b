// opentask-scheduler: what is due now. Sleeps until the next instant that matters, decides, reports to the api.

import Daemon
import Interfaces
import Log
import SchedulerService
import Time
import Varlink

let daemon = Daemon("opentask-scheduler")
let run = daemon.environment.string("OPENTASK_RUN", default: "/run/opentask")

let scheduler = daemon.start("start the clock") {
    try Scheduler(apiSocket: "\(run)/api.sock", clock: SystemClock(), log: daemon.log)
}
daemon.start("follow the api") { try scheduler.start() }

daemon.serve(VarlinkServer(statusRouter(scheduler), permit: daemon.permit), on: "varlink")
daemon.atEnd(scheduler.stop)
daemon.run()
