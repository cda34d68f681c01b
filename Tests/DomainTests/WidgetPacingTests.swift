import Domain
import Testing
import Time

@Suite("W-3 to W-11 Pacing of widget pushes")
struct WidgetPacingTests {
    /// When pushes go out, if these are the changes; `failing` are the pushes that fail.
    func pushes(
        _ changes: [String], interval: WidgetInterval = .seconds(300), quiet: Preferences? = prefs(),
        failing: Set<Instant> = [], until end: String = "10-15 12:00"
    ) -> [Instant] {
        var pace = WidgetPace()
        var sent: [Instant] = []
        func run(to instant: Instant) {
            var now = pace.due ?? instant
            while now <= instant {
                switch pace.decision(at: now, quietHours: quiet) {
                case .nothing: return
                case .wait(let until): now = until
                case .push:
                    sent.append(now)
                    pace.pushed(failing.contains(now) ? nil : now)
                    return
                }
            }
        }
        for change in changes.map({ at($0) }) {
            run(to: change)
            pace.changed(at: change, interval: interval)
        }
        run(to: at(end))
        return sent
    }

    @Test func `Golden 115, W-3 W-4 W-11 an afternoon of an iPhone`() {
        let changes = ["10:00", "10:00:01", "10:01", "10:03", "10:06", "10:12", "10:40"]
        #expect(
            pushes(changes)
                == ["10:00:02", "10:05:02", "10:10:02", "10:15:02", "10:40:02"].map { at($0) })
    }

    @Test func `W-6 W-11 a Mac is told 2 s after each change`() {
        let changes = ["10:00", "10:00:01", "10:01", "22:30"]
        #expect(
            pushes(changes, interval: .settleOnly, quiet: nil)
                == ["10:00:02", "10:01:02", "22:30:02"].map { at($0) })
    }

    @Test func `Golden 116, W-5 changes of the night ride on one push at wake time`() {
        #expect(pushes(["22:30", "10-15 03:00"]) == [at("10-15 07:00")])
    }

    @Test func `W-5 judged when it is due, not when it is scheduled`() {
        // Asked for at 21:57, due at 22:01:58: by then the owner sleeps.
        #expect(pushes(["21:56:56", "21:57"]) == [at("21:56:58"), at("10-15 07:00")])
        // Asked for asleep, due awake.
        #expect(pushes(["06:59:58"]) == [at("07:00")])
        // Switched off.
        #expect(pushes(["22:30"], quiet: nil) == [at("22:30:02")])
    }

    @Test func `W-5 X-4 a wake time in a gap`() {
        var early = prefs()
        early.wakeTime = time("02:30")
        early.sleepTime = time("01:00")
        #expect(
            pushes(["2026-03-08 01:30"], quiet: early, until: "2026-03-09 12:00") == [at("2026-03-08 08:30Z")]
        )
    }

    @Test func `Golden 118, W-7 a failed push does not use up the interval`() {
        #expect(
            pushes(["10:00", "10:00:30"], failing: [at("10:00:02")]) == [at("10:00:02"), at("10:00:32")])
    }

    @Test func `W-4 an interval of 0 leaves the settling`() {
        #expect(
            pushes(["10:00", "10:00:05"], interval: .seconds(0)) == [at("10:00:02"), at("10:00:07")])
    }

    @Test func `W-9 a push that was pending over a restart goes at once`() {
        let pace = WidgetPace(lastPush: at("09:00"), due: at("10:00:02"))
        #expect(pace.decision(at: at("10:30"), quietHours: prefs()) == .push)
        #expect(pace.decision(at: at("23:00"), quietHours: prefs()) == .wait(until: at("10-15 07:00")))
        #expect(pace.decision(at: at("10:00"), quietHours: prefs()) == .wait(until: at("10:00:02")))
        #expect(WidgetPace().decision(at: at("10:00"), quietHours: prefs()) == .nothing)
    }
}

@Suite("W-2 What widgets show")
struct WidgetVisibilityTests {
    func shows(_ change: (inout TaskItem) -> Void) -> Bool {
        let before = task(1, target: at("17:00"))
        var after = before
        change(&after)
        after.version += 1
        after.updatedAt = at("14:20")
        return showsOnWidgets(before, after)
    }

    @Test func `Golden 117, W-2 only notes edited: no push`() {
        #expect(!shows { $0.notes = "by the door" })
    }

    @Test func `W-2 neither the interval nor what the queue puts on`() {
        #expect(!shows { $0.repeatInterval = 5 })
        #expect(!shows { $0.labels = ["ai-to-process"] })
        #expect(!shows { _ in })
    }

    @Test func `W-2 everything else`() {
        #expect(shows { $0.title = "Another" })
        #expect(shows { $0.target = at("18:00") })
        #expect(shows { $0.priority = .high })
        #expect(shows { $0.labels = ["home", "ai-added"] })
        #expect(shows { $0.done = true })
        #expect(shows { $0.horizon = .weeks })
        #expect(shows { $0.quotaDayState = "{}" })
        #expect(showsOnWidgets(nil, task()))
    }
}
