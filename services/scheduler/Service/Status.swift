import Interfaces
public import Varlink

/// `org.opentask.scheduler` on the service's own socket.
public func statusRouter(_ scheduler: Scheduler) throws -> VarlinkRouter {
    var router = VarlinkRouter(
        vendor: "OpenTask", product: "opentask-scheduler", version: Scheduler.version,
        url: "https://opentask.io")
    router.add(try VarlinkInterface(parsing: InterfaceText.named(SchedulerInterface.name)))
    router.handle(SchedulerInterface.Status.self) { _, _ in scheduler.status() }
    return router
}
