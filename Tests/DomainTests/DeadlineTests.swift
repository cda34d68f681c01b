import Domain
import Testing
import Time

@Suite("D-1 to D-16 Deadlines and automatic targets")
struct DeadlineTests {
    struct Case {
        var zone = "America/Chicago"
        var morning = "09:00"
        var deadline: String
        var now: String
        var target: String
    }

    @Test(arguments: [
        // Golden cases 27 to 36, and the table of D-5.
        Case(deadline: "2026-10-16 18:00", now: "2026-10-05 12:00", target: "2026-10-13 14:00Z"),
        Case(deadline: "2026-10-16 08:00", now: "2026-10-05 12:00", target: "2026-10-12 14:00Z"),
        Case(deadline: "2026-10-16 09:00", now: "2026-10-05 12:00", target: "2026-10-13 14:00Z"),
        Case(deadline: "2026-10-16 23:59", now: "2026-10-05 12:00", target: "2026-10-13 14:00Z"),
        Case(deadline: "2026-03-09 18:00", now: "2026-03-01 12:00", target: "2026-03-06 15:00Z"),
        Case(deadline: "2026-11-03 09:00", now: "2026-10-20 12:00", target: "2026-10-31 14:00Z"),
        Case(
            zone: "Asia/Kolkata", morning: "06:00", deadline: "2026-10-16 06:30", now: "2026-10-05 12:00",
            target: "2026-10-13 00:30Z"),
        Case(
            zone: "Europe/Berlin", deadline: "2026-03-31 08:59", now: "2026-03-20 12:00",
            target: "2026-03-27 08:00Z"),
        Case(deadline: "2026-10-16 18:00", now: "2026-10-14 14:00", target: "2026-10-15 09:00"),
        Case(deadline: "2026-10-16 08:00", now: "2026-10-15 14:00", target: "2026-10-15 15:00"),
        Case(deadline: "2026-10-16 08:00", now: "2026-10-16 07:40", target: "2026-10-16 08:00"),
        // Exactly the usual morning is no longer after now.
        Case(deadline: "2026-10-16 18:00", now: "2026-10-13 09:00", target: "2026-10-14 09:00"),
        // A deadline that has passed.
        Case(deadline: "2026-10-14 10:00", now: "2026-10-14 10:00", target: "2026-10-14 10:00"),
        Case(deadline: "2026-10-10 10:00", now: "2026-10-14 10:00", target: "2026-10-10 10:00"),
        // a morning that does not exist. Lord Howe, 02:15 on 2026-10-04 → 02:45.
        Case(
            zone: "Australia/Lord_Howe", morning: "02:15", deadline: "2026-10-07 12:00",
            now: "2026-09-20 12:00", target: "2026-10-03 15:45Z"),
    ])
    func `D-5 D-6 the automatic target`(_ row: Case) {
        var prefs = prefs(row.zone)
        prefs.morningTime = time(row.morning)
        let target = automaticTarget(
            deadline: at(row.deadline, row.zone), now: at(row.now, row.zone), prefs: prefs)
        #expect(target == at(row.target, row.zone))
    }

    @Test func `D-1 D-3 D-4 a date is 23:59, and an undated task gets its target`() throws {
        let now = at("2026-10-05 12:00")
        let item = try created(now: now) { $0.deadline = .date(date("2026-10-16")) }
        #expect(item.deadline == at("2026-10-16 23:59"))
        #expect(item.deadlineAllDay)
        #expect(item.target == at("2026-10-13 09:00"))
        #expect(item.originalTarget == item.target)
        #expect(item.targetSource == .auto)
        #expect(!item.isSnoozed)

        let later = try edited(task(), now: now) { $0.deadline = .date(date("2026-10-16")) }
        #expect(later.task.target == at("2026-10-13 09:00"))
        #expect(later.task.targetSource == .auto)
        #expect(!later.targetBecameAutomatic)
    }

    @Test func `D-2 the deadline itself is past`() {
        let item = task(target: at("12:00"), deadline: at("18:00"))
        #expect(!item.isPastDeadline(at: at("17:59:59")))
        #expect(item.isPastDeadline(at: at("18:00")))
    }

    @Test func `D-3 a snooze of an automatic target makes it the user's`() throws {
        let now = at("2026-10-14 14:00")
        let item = try created(now: now) { $0.deadline = .instant(at("2026-10-16 18:00")) }
        let snoozed = try snoozedTask(item, .until(at("2026-10-15 12:00")), now: now).task
        #expect(snoozed.targetSource == .user)
        #expect(snoozed.originalTarget == at("2026-10-15 09:00"))
    }

    @Test func `D-4 clearing the target brings the automatic one, moving the deadline computes it again`()
        throws
    {
        let now = at("2026-10-05 12:00")
        let item = task(target: at("10-10 12:00"), deadline: at("2026-10-16 18:00"))
        let cleared = try edited(item, now: now) { $0.target = .some(nil) }.task
        #expect(cleared.target == at("2026-10-13 09:00"))
        #expect(cleared.targetSource == .auto)
        let moved = try edited(cleared, now: now) { $0.deadline = .instant(at("2026-10-20 18:00")) }
        #expect(moved.task.target == at("2026-10-17 09:00"))
        #expect(moved.task.originalTarget == at("2026-10-17 09:00"))
        #expect(moved.task.snoozeCount == 0)
        #expect(!moved.isSnooze)
        // The user's own target stays when the deadline moves beyond it.
        let own = try edited(item, now: now) { $0.deadline = .instant(at("2026-10-20 18:00")) }
        #expect(own.task.target == item.target)
    }

    @Test func `D-8 removing the deadline takes an automatic target along, a user's stays`() throws {
        // Golden case 41.
        let now = at("2026-10-05 12:00")
        let automatic = try created(now: now) { $0.deadline = .date(date("2026-10-16")) }
        let undated = try edited(automatic, now: now) { $0.deadline = .some(nil) }.task
        #expect(undated.target == nil)
        #expect(undated.originalTarget == nil)
        #expect(undated.targetSource == nil)
        #expect(!undated.deadlineAllDay)
        let own = task(target: at("10-10 12:00"), deadline: at("2026-10-16 18:00"))
        let kept = try edited(own, now: now) { $0.deadline = .some(nil) }.task
        #expect(kept.target == own.target)
        #expect(kept.originalTarget == own.originalTarget)
    }

    @Test func `D-9 a deadline before the target makes the target automatic`() throws {
        let now = at("2026-10-05 12:00")
        let item = task(target: at("10-20 12:00"))
        let result = try edited(item, now: now) { $0.deadline = .instant(at("2026-10-16 18:00")) }
        #expect(result.targetBecameAutomatic)
        #expect(result.task.target == at("2026-10-13 09:00"))
        #expect(result.task.originalTarget == at("2026-10-13 09:00"))
        #expect(result.task.targetSource == .auto)
        #expect(!result.isSnooze)
        #expect(result.task.snoozeCount == 0)
        // A deadline in the past changes no target.
        let past = try edited(item, now: now) { $0.deadline = .instant(at("2026-10-01 18:00")) }
        #expect(past.task.target == item.target)
        #expect(!past.targetBecameAutomatic)
    }

    @Test(arguments: ["snooze", "option", "delta", "patch", "sweep", "bulk"])
    func `D-10 no snooze passes a deadline that is ahead`(_ way: String) throws {
        // Golden case 37.
        let now = at("17:00")
        let item = task(target: at("16:30"), deadline: at("18:00"))
        let moved: TaskItem
        let stopped: Bool
        switch way {
        case "snooze":
            let result = try snoozedTask(item, .until(at("18:30")), now: now)
            (moved, stopped) = (result.task, result.stoppedAtDeadline)
        case "option":
            let result = try snoozedTask(
                task(target: at("17:30"), deadline: at("18:00")), .option("60"), now: now)
            (moved, stopped) = (result.task, result.stoppedAtDeadline)
        case "delta":
            let result = try snoozedTask(item, .deltaMinutes(180), now: now)
            (moved, stopped) = (result.task, result.stoppedAtDeadline)
        case "patch":
            let result = try edited(item, now: now) { $0.target = at("18:30") }
            (moved, stopped) = (result.task, result.stoppedAtDeadline)
        case "sweep":
            let result = try swept([item], .option("120"), now: now)
            (moved, stopped) = (
                try #require(result.moved.first?.after), result.stoppedAtDeadline == [item.id]
            )
        default:
            let result = bulkSnooze([item], included: [], .until(at("20:00")), now: now)
            (moved, stopped) = (
                try #require(result.moved.first?.after), result.stoppedAtDeadline == [item.id]
            )
        }
        #expect(moved.target == at("18:00"))
        #expect(moved.snoozeCount == 1)
        #expect(stopped)
    }

    @Test func `D-11 after the deadline the stop is gone`() throws {
        // Golden case 38.
        let item = task(target: at("10:00"), deadline: at("12:00"))
        let result = try snoozedTask(item, .option("60"), now: at("14:20"))
        #expect(result.task.target == at("15:00"))
        #expect(!result.stoppedAtDeadline)
    }

    @Test func `D-12 the picker is refused beyond a deadline ahead, unless the deadline moves too`() throws {
        // Golden case 40.
        let now = at("14:20")
        let item = task(target: at("17:00"), deadline: at("10-16 18:00"))
        let error = #expect(throws: Refusal.self) {
            try edited(item, now: now) {
                $0.target = at("10-17 09:00")
                $0.resetOriginalTarget = true
            }
        }
        #expect(error?.reason == "target_after_deadline")
        #expect(error?.status == .invalid)
        let both = try edited(item, now: now) {
            $0.target = at("10-17 09:00")
            $0.resetOriginalTarget = true
            $0.deadline = .instant(at("10-20 18:00"))
        }
        #expect(both.task.target == at("10-17 09:00"))
        #expect(both.task.targetSource == .user)
    }

    @Test func `D-13 stopped where it is already: nothing`() throws {
        // Golden case 39.
        let item = task(target: at("18:00"), deadline: at("18:00"))
        let result = try snoozedTask(item, .option("60"), now: at("17:00"))
        #expect(result.task == item)
        #expect(result.stoppedAtDeadline)
        let patched = try edited(item, now: at("17:00")) { $0.target = at("19:00") }
        #expect(patched.task == item)
        #expect(patched.stoppedAtDeadline)
        #expect(!patched.isSnooze)
    }

    @Test func `D-1 no deadline on what repeats, unless it goes`() throws {
        let now = at("14:20")
        let item = task(target: at("17:00"), deadline: at("10-16 18:00"))
        #expect(throws: Refusal.self) { try edited(item, now: now) { $0.rrule = "FREQ=DAILY" } }
        let changed = try edited(item, now: now) {
            $0.rrule = "FREQ=DAILY"
            $0.deadline = .some(nil)
        }
        #expect(changed.task.deadline == nil)
        #expect(changed.task.rrule == "FREQ=DAILY")
        var recurring = task(target: at("17:00"))
        recurring.rrule = "FREQ=DAILY"
        #expect(throws: Refusal.self) {
            try edited(recurring, now: now) { $0.deadline = .date(date("2026-10-20")) }
        }
    }

    @Test func `D-15 D-16 a done task keeps its deadline, and comes back with it`() throws {
        let now = at("14:20")
        let item = try created(now: now) { $0.deadline = .instant(at("10-20 18:00")) }
        let done = try complete(
            item, shownTarget: nil, lastCompletedToday: false, closePeriod: false, now: now, prefs: prefs()
        ).get().task
        #expect(done.deadline == item.deadline)
        let back = try uncomplete(
            done, last: LastCompletion(completedAt: now, targetWas: item.target, targetNext: nil), now: now,
            prefs: prefs()
        ).get()
        #expect(back == item)
    }
}
