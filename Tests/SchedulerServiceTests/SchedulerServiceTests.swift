// SchedulerServiceTests
