import Interfaces
public import Varlink

/// `org.opentask.scheduler` on the service's own socket.
public func statusRouter(_ scheduler: Scheduler) -> VarlinkRouter {
    var router = VarlinkRouter(product: "opentask-scheduler", interfaces: [SchedulerInterface.name])
    router.handle(SchedulerInterface.Status.self) { _, _ in scheduler.status() }
    return router
}
