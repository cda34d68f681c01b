import Domain
import Testing
import Time

@Suite("Q: which quota reminders there are")
struct QuotaPromptTests {
    private let now = at("10:00")
    private func daily(_ target: Int, _ count: Int = 0) -> TaskItem {
        quota("FREQ=DAILY", target, count, start: at("00:00"))
    }
    private func placed(_ quota: TaskItem, _ config: String) -> TaskItem {
        var quota = quota
        quota.quotaPromptConfig = config
        return quota
    }

    @Test func `Golden 79, Q-21: daily 4× from Afternoon is #1 there and #2 to #4 in Evening`() {
        let four = placed(daily(4), #"{"slot_id":4}"#)
        #expect(rows(four, now: now) == ["Afternoon 1 waits 0/4", "Evening 4 waits 0/4"])
        let prompts = quotaPrompts(of: [four], periods: periods, now: now, prefs: prefs())
        #expect(prompts.map(\.numbers) == [[1], [2, 3, 4]])
        #expect(prompts.map(\.number) == [1, 4])
        #expect(prompts.map(\.key.description) == ["q:1:1:2026-10-14", "q:1:4:2026-10-14"])
    }

    @Test func `Q-21: a number placed by hand stays where it was put, the others are spread`() {
        let four = placed(daily(4), #"{"numbers":{"1":5,"3":5}}"#)
        #expect(
            rows(four, now: now) == ["Morning 2 waits 0/4", "Afternoon 4 waits 0/4", "Evening 3 waits 0/4"])
        // A period that is gone, and null, place nothing.
        let lost = placed(daily(2), #"{"numbers":{"1":99,"2":null}}"#)
        #expect(rows(lost, now: now) == ["Early morning 1 waits 0/2", "Morning 2 waits 0/2"])
    }

    @Test func `Q-21: a numbered row is done once the count reaches its highest number`() {
        let two = placed(daily(3, 2), #"{"slot_id":4}"#)
        #expect(rows(two, now: now) == ["Afternoon 1 done 2/3", "Evening 3 waits 2/3"])
    }

    @Test(arguments: [(5, 2, "Evening"), (99, 2, "Morning"), (99, 99, "Early morning")])
    func `Q-21: the base is the quota's own period, the user's default, the first`(
        _ own: Int, _ standard: Int64, _ label: String
    ) {
        var prefs = prefs()
        prefs.defaultPeriod = Period.ID(rawValue: standard)
        let weekly = placed(quota("FREQ=WEEKLY", 3, start: at("10-11 00:00")), "{\"slot_id\":\(own)}")
        #expect(rows(weekly, now: now, prefs: prefs) == ["\(label) 0 waits 0/3"])
    }

    @Test func `Q-21: without periods all is in Anytime`() {
        #expect(rows(daily(3), now: now, periods: []) == ["Anytime 3 waits 0/3"])
        let prompts = quotaPrompts(of: [daily(3)], periods: [], now: now, prefs: prefs())
        #expect(prompts.map(\.numbers) == [[1, 2, 3]])
        let weekly = quota("FREQ=WEEKLY", 3, start: at("10-11 00:00"))
        #expect(rows(weekly, now: now, periods: []) == ["Anytime 0 waits 0/3"])
    }

    @Test func `Q-21: a daily quota with an interval has one row a day`() {
        let third = quota("FREQ=DAILY;INTERVAL=3", 4, start: at("10-13 00:00"))
        #expect(rows(third, now: now) == ["Early morning 0 waits 0/4"])
        #expect(
            quotaPrompts(of: [third], periods: periods, now: now, prefs: prefs()).map(\.number) == [nil])
    }

    @Test func `Golden 83, Q-21: met before today and untouched there is no row until the next period`()
        throws
    {
        let weekly = quota("FREQ=WEEKLY", 1, start: at("2026-01-12 00:00"))
        let thursday = at("2026-01-15 18:00")
        let met = acted(.did, "q:1:0:2026-01-15", weekly, now: thursday, prefs: mondays())
        #expect(rows(met, now: thursday, prefs: mondays()) == ["Early morning 0 done 1/1"])
        for day in ["01-16", "01-17", "01-18"] {
            #expect(rows(met, now: at("2026-\(day) 12:00"), prefs: mondays()) == [])
        }
        // Not closed yet on Monday, all the same (Q-5).
        let monday = at("2026-01-19 00:00")
        #expect(rows(met, now: monday, prefs: mondays()) == ["Early morning 0 waits 0/1"])
        // A further +1 on Friday touches it.
        let more = try logged(1, met, now: at("2026-01-16 09:00"), prefs: mondays())
        #expect(rows(more, now: at("2026-01-16 12:00"), prefs: mondays()) == ["Early morning 0 done 2/1"])
    }

    @Test func `Q-20: on for day, week and month, off for year, unless it is said`() {
        for (unit, count) in [("DAILY", 1), ("WEEKLY", 1), ("MONTHLY", 1), ("YEARLY", 0)] {
            let quota = quota("FREQ=\(unit)", 1, start: at("10-01 00:00"))
            #expect(rows(quota, now: now).count == count)
            #expect(rows(placed(quota, #"{"enabled":true}"#), now: now).count == 1)
            #expect(rows(placed(quota, #"{"enabled":false}"#), now: now) == [])
        }
    }

    @Test func `Q-20: none when they are off for all, none of what is not open, none of what is no quota`() {
        var off = prefs()
        off.quotaPromptsEnabled = false
        #expect(rows(daily(1), now: now, prefs: off) == [])
        var trashed = daily(1)
        trashed.deletedAt = now
        #expect(rows(trashed, now: now) == [])
        #expect(rows(task(), now: now) == [])
    }

    @Test func `Q-24: waiting is neither considered nor done; rows go by period, then title`() {
        var walk = quota("FREQ=WEEKLY", 3, start: at("10-11 00:00"), id: 2)
        walk.title = "a walk"
        walk.notes = " \n"
        walk.labels = ["ai-added", "Home", "Body"]
        var read = quota("FREQ=WEEKLY", 3, start: at("10-11 00:00"), id: 3)
        read.title = "Read"
        read.notes = "a page"
        let prompts = quotaPrompts(of: [read, daily(2), walk], periods: periods, now: now, prefs: prefs())
        #expect(prompts.map(\.title) == ["a walk", "Read", "Task 1", "Task 1"])
        #expect(prompts.map(\.isWaiting) == [true, true, true, true])
        #expect(prompts.map(\.hasNotes) == [false, true, false, false])
        #expect(prompts.map(\.stripeLabel) == ["Home", nil, nil, nil])
        let considered = acted(.consider, "q:2:0:2026-10-14", walk, now: now)
        let after = quotaPrompts(of: [considered], periods: periods, now: now, prefs: prefs())
        #expect(after.map(\.isWaiting) == [false])
        #expect(after.map(\.considered) == [true])
    }

    @Test func `Q-26: moving a row moves just what it stands for, and merges with a row that is there`() {
        let four = placed(daily(4), #"{"enabled":true,"slot_id":4}"#)
        let config = QuotaPromptConfig(json: four.quotaPromptConfig)
        let moved = config.moving([2, 3, 4], to: midday.id)
        #expect(moved.json == #"{"enabled":true,"numbers":{"2":3,"3":3,"4":3},"slot_id":4}"#)
        #expect(
            rows(placed(four, moved.json), now: now) == ["Midday 4 waits 0/4", "Afternoon 1 waits 0/4"])
        let merged = moved.moving([1], to: midday.id)
        #expect(rows(placed(four, merged.json), now: now) == ["Midday 4 waits 0/4"])
        let weekly = QuotaPromptConfig(json: #"{"numbers":{"1":2}}"#).moving([], to: evening.id)
        #expect(weekly.json == #"{"numbers":{"1":2},"slot_id":5}"#)
    }

    @Test func `Q-26: a bulk edit merges, what it does not name stays`() {
        let stored = QuotaPromptConfig(json: #"{"enabled":false,"numbers":{"1":2},"slot_id":4}"#)
        let slot = stored.merging(QuotaPromptConfig(json: #"{"slot_id":null}"#))
        #expect(slot.json == #"{"enabled":false,"numbers":{"1":2},"slot_id":null}"#)
        #expect(
            stored.merging(QuotaPromptConfig(json: #"{"numbers":{}}"#)).json
                == #"{"enabled":false,"slot_id":4}"#)
        #expect(stored.merging(QuotaPromptConfig(json: #"{"enabled":true}"#)).enabled == true)
        #expect(QuotaPromptConfig(json: nil).json == "{}")
        #expect(QuotaPromptConfig(json: #"{"numbers":{"1":null}}"#).json == #"{"numbers":{"1":null}}"#)
    }

    @Test func `Q-12: by period, inside by label, then title without case`() {
        func named(_ id: Int64, _ rule: String, _ title: String, _ labels: [String] = []) -> TaskItem {
            quota(rule, 3, start: at("10-11 00:00"), id: id) { quota in
                quota.title = title
                quota.labels = labels
            }
        }
        let quotas = [
            named(1, "FREQ=YEARLY", "Travel"), named(2, "FREQ=WEEKLY", "zumba", ["home"]),
            named(3, "FREQ=WEEKLY", "Albums", ["Work"]),
            named(4, "FREQ=WEEKLY;INTERVAL=2", "Bread", ["Home"]),
            named(5, "FREQ=WEEKLY", "Alone"), named(6, "FREQ=DAILY", "floss"),
            named(7, "FREQ=MONTHLY", "Budget"),
            named(8, "FREQ=DAILY", "Floss"),
        ]
        let order = quotasInOrder(quotas).map(\.id.rawValue)
        #expect(order == [6, 8, 4, 2, 3, 5, 7, 1])
        // Logging never reorders.
        let counted = quotas.map { quota in
            var quota = quota
            quota.progressCurrent = 9
            return quota
        }
        #expect(quotasInOrder(counted.reversed()).map(\.id.rawValue) == order)
    }

    @Test(arguments: [
        ("FREQ=DAILY", "1/3 today", "1/3 today"), ("FREQ=WEEKLY", "1/3 this week", "1/3 wk"),
        ("FREQ=MONTHLY", "1/3 this month", "1/3 mo"), ("FREQ=YEARLY", "1/3 this year", "1/3 yr"),
        ("FREQ=WEEKLY;INTERVAL=2", "1/3 per 2 weeks", "1/3 per 2 weeks"),
        ("FREQ=DAILY;INTERVAL=3", "1/3 per 3 days", "1/3 per 3 days"),
    ])
    func `Q-12: texts`(_ rule: String, _ text: String, _ small: String) {
        let quota = quota(rule, 3, 1, start: at("10-11 00:00"))
        #expect(quotaText(count: 1, of: quota) == text)
        #expect(quotaText(count: 1, of: quota, small: true) == small)
    }

    @Test func `L-7: the stripe has the colour of the first label that is not reserved`() {
        let colors = ["home": "blue", "green": "green", "work": "red"]
        var quota = daily(1)
        quota.labels = ["ai-proposed", "AI-added", "Home", "work"]
        #expect(stripeColor(of: quota.stripeLabel, colors: colors) == "blue")
        quota.labels = ["plain", "work"]
        #expect(stripeColor(of: quota.stripeLabel, colors: colors) == nil)
        quota.labels = ["Green"]
        #expect(stripeColor(of: quota.stripeLabel, colors: colors) == nil)
        quota.labels = []
        #expect(stripeColor(of: quota.stripeLabel, colors: colors) == nil)
    }
}
