import Domain
import Recurrence
import TestSupport
import Testing
import Time

@Suite("M-16, M-17 What a period takes along")
struct PeriodChangeTests {
    private func moved(_ items: [TaskItem], _ period: Period, to start: String) -> [TaskItem] {
        carried(by: period, to: time(start), reminders: items, periods: periods, zone: zone()).map(\.after)
    }

    @Test func `M-16: Morning 9:00 to 9:30 at 11:00: a reminder that waits goes on waiting, at 9:30`() throws
    {
        let item = thought(
            rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", anchor: "09:00", target: at("09:00"))
        let after = try #require(moved([item], morningPeriod, to: "09:30").first)
        #expect(after.rrule == "FREQ=DAILY;BYHOUR=9;BYMINUTE=30")
        #expect(after.anchorTime == time("09:30"))
        #expect(after.target == at("09:30"))
        #expect(after.originalTarget == at("09:30"))
        #expect(after.isWaiting(on: date("2026-10-14"), zone: zone()))
        #expect(after.fields(changedFrom: item) == [.target, .originalTarget, .rrule, .anchorTime])
    }

    @Test func `M-16: inside its new borders a reminder keeps its time, outside it moves to the start`() {
        let inside = thought(1, rule: "FREQ=DAILY", anchor: "10:00")
        let outside = thought(2, rule: "FREQ=DAILY", anchor: "09:15")
        let other = thought(3, rule: "FREQ=DAILY", anchor: "12:00")
        let before = thought(4, rule: "FREQ=DAILY", anchor: "08:59")
        let result = moved([inside, outside, other, before, thought(5)], morningPeriod, to: "09:30")
        #expect(result.map(\.id.rawValue) == [2])
        #expect(result.map(\.anchorTime) == [time("09:30")])
    }

    @Test func `M-16: a start that jumps over its neighbours leaves their reminders alone`() {
        let mine = thought(1, rule: "FREQ=DAILY", anchor: "09:00")
        let mineLate = thought(2, rule: "FREQ=DAILY", anchor: "11:00")
        let theirs = thought(3, rule: "FREQ=DAILY", anchor: "13:30")
        let result = moved([mine, mineLate, theirs], morningPeriod, to: "13:00")
        #expect(result.map(\.id.rawValue) == [1, 2])
        #expect(result.allSatisfy { $0.anchorTime == time("13:00") })
    }

    @Test func `M-16: an earlier start takes those on the old one along and leaves the others`() {
        let on = thought(1, rule: "FREQ=DAILY", anchor: "09:00")
        let later = thought(2, rule: "FREQ=DAILY", anchor: "10:00")
        let result = moved([on, later], morningPeriod, to: "08:00")
        #expect(result.map(\.id.rawValue) == [1])
        #expect(result.map(\.anchorTime) == [time("08:00")])
    }

    @Test func `M-16: only open reminders move; a one-off keeps its date`() throws {
        var done = thought(1, target: at("09:00"))
        done.done = true
        var gone = thought(2, target: at("09:00"))
        gone.deletedAt = at("08:00")
        let dated = thought(3, target: at("10-20 09:00"))
        let aTask = task(4, target: at("09:00"))
        let result = moved([done, gone, dated, aTask], morningPeriod, to: "09:30")
        #expect(result.map(\.id.rawValue) == [3])
        #expect(result[0].target == at("10-20 09:30"))
        #expect(result[0].rrule == nil && result[0].anchorTime == nil)
    }

    @Test(
        "M-16: a rule gets the new time and keeps everything else",
        arguments: [
            ("FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=9;BYMINUTE=30"),
            ("FREQ=WEEKLY;BYHOUR=9;BYDAY=MO", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=30"),
            ("freq=daily;byhour=9;byminute=0", "freq=daily;BYHOUR=9;BYMINUTE=30"),
            ("FREQ=DAILY;COUNT=7", "FREQ=DAILY;COUNT=7;BYHOUR=9;BYMINUTE=30"),
            ("FREQ=DAILY;UNTIL=20261020", "FREQ=DAILY;UNTIL=20261020;BYHOUR=9;BYMINUTE=30"),
            // The last day was the 20th, at 9:00 sharp, and stays the 20th.
            ("FREQ=DAILY;UNTIL=20261020T090000", "FREQ=DAILY;UNTIL=20261020;BYHOUR=9;BYMINUTE=30"),
            ("FREQ=DAILY;UNTIL=20261020T140000Z", "FREQ=DAILY;UNTIL=20261020;BYHOUR=9;BYMINUTE=30"),
            ("FREQ=DAILY;UNTIL=20261020T085900", "FREQ=DAILY;UNTIL=20261019;BYHOUR=9;BYMINUTE=30"),
        ])
    func rules(_ rule: String, _ expected: String) throws {
        let item = thought(rule: rule, anchor: "09:00", target: at("10-15 09:00"))
        let after = try #require(moved([item], morningPeriod, to: "09:30").first)
        #expect(after.rrule == expected)
        #expect(throws: Never.self) { try RecurrenceRule(expected) }
        for day in 14...31 {
            let date = date("2026-10-\(day)")
            let (former, present) = (item.schedule(zone: zone()), after.schedule(zone: zone()))
            #expect(former?.occurs(on: date) == present?.occurs(on: date))
        }
    }

    @Test func `M-16, X-4: a start in a gap of the clock keeps its wall time in the rule`() throws {
        let item = thought(rule: "FREQ=DAILY", anchor: "09:00", target: at("2026-03-08 09:00"))
        let after = try #require(moved([item], morningPeriod, to: "02:30").first)
        #expect(after.anchorTime == time("02:30"))
        #expect(after.target == at("2026-03-08 08:30Z"))
    }

    @Test func `Golden 71, M-17: of two periods equally near the earlier takes the reminder`() throws {
        func make(_ id: Int64, _ start: String) -> Period {
            Period(id: Period.ID(rawValue: id), label: start, start: time(start))
        }
        let three = [make(1, "08:00"), make(2, "10:00"), make(3, "12:00")]
        func after(_ anchor: String) throws -> LocalTime? {
            let item = thought(rule: "FREQ=DAILY", anchor: anchor)
            return carried(byRemoving: three[1], reminders: [item], periods: three, zone: zone())
                .first?.after.anchorTime
        }
        #expect(try after("10:00") == time("08:00"))
        #expect(try after("10:01") == time("12:00"))
        #expect(try after("11:59") == time("12:00"))
        #expect(try after("09:59") == nil, "that is another period's")
        #expect(try after("12:00") == nil)
    }

    @Test
    func `M-17: done ones keep what they had, those in the trash come along, the last period keeps all`() {
        var done = thought(1, target: at("09:00"))
        done.done = true
        var gone = thought(2, target: at("09:00"))
        gone.deletedAt = at("08:00")
        let result = carried(
            byRemoving: morningPeriod, reminders: [done, gone, task(3, target: at("09:00"))],
            periods: periods,
            zone: zone())
        #expect(result.map(\.after.id.rawValue) == [2])
        #expect(result.map(\.after.target) == [at("07:00")])
        #expect(
            carried(
                byRemoving: morningPeriod, reminders: [gone], periods: [morningPeriod], zone: zone()
            ).isEmpty)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func
        `M-16, M-17: whatever the day looks like, who was in the period is in one that exists, nobody else moves`(
            _ seed: UInt64
        ) throws
    {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        func anyTime(_ random: inout SeededGenerator) -> LocalTime {
            LocalTime(secondOfDay: Int.random(in: 0..<1440, using: &random) * 60) ?? .midnight
        }
        let there = zone(["America/Chicago", "Australia/Lord_Howe", "Asia/Kathmandu"][Int(seed % 3)])
        var day: [Period] = []
        for id in 1...Int64.random(in: 2...24, using: &random) {
            let start = anyTime(&random)
            guard !day.contains(where: { $0.start == start }) else { continue }
            day.append(Period(id: Period.ID(rawValue: id), label: "\(id)", start: start))
        }
        let items = (1...60 as ClosedRange<Int64>).map { id -> TaskItem in
            let isRecurring = Bool.random(using: &random)
            let t = Bool.random(using: &random) ? anyTime(&random) : day.randomElement(using: &random)?.start
            var item = thought(
                id, rule: isRecurring ? "FREQ=DAILY" : nil, anchor: isRecurring ? t?.description : nil)
            let days = Int.random(in: -200...200, using: &random)
            item.target = t.map { there.instant(date("2026-10-14").adding(days: days), $0) }
            item.originalTarget = item.target
            return item
        }
        let chosen = try #require(day.randomElement(using: &random))
        func place(_ item: TaskItem, _ day: [Period]) -> Period.ID? {
            period(of: item, periods: day, zone: there)?.id
        }

        let start = anyTime(&random)
        if !day.contains(where: { $0.start == start && $0.id != chosen.id }) {
            var later = day
            later[try #require(later.firstIndex(of: chosen))].start = start
            let moves = carried(by: chosen, to: start, reminders: items, periods: day, zone: there)
            let after = Dictionary(uniqueKeysWithValues: moves.map { ($0.after.id, $0.after) })
            for item in items {
                if place(item, day) == chosen.id {
                    #expect(place(after[item.id] ?? item, later) == chosen.id)
                } else {
                    #expect(after[item.id] == nil)
                }
            }
        }

        guard day.count > 1 else { return }
        let rest = day.filter { $0.id != chosen.id }
        let moves = carried(byRemoving: chosen, reminders: items, periods: day, zone: there)
        #expect(Set(moves.map(\.before.id)) == Set(items.filter { place($0, day) == chosen.id }.map(\.id)))
        for move in moves {
            let own = try #require(timeOfDay(of: move.before, zone: there))
            let new = try #require(period(of: move.after, periods: rest, zone: there))
            // A gap of the clock may push an instant behind its wall time; the wall time is what is asked for.
            if move.after.isRecurring { #expect(timeOfDay(of: move.after, zone: there) == new.start) }
            let distance = abs(new.start.secondOfDay - own.secondOfDay)
            #expect(rest.allSatisfy { abs($0.start.secondOfDay - own.secondOfDay) >= distance })
            #expect(
                move.before.target.map { there.date($0) } == move.after.target.map { there.date($0) })
        }
    }

    @Test func `M-17: a config that names the removed period names another instead, all else as it was`() {
        let one = Period.ID(rawValue: 1)
        let two = Period.ID(rawValue: 2)
        func replaced(_ json: String?) -> String? {
            QuotaPromptConfig(json: json).replacing(one, by: two)?.json
        }
        #expect(replaced(#"{"slot_id":1}"#) == #"{"slot_id":2}"#)
        let both = QuotaPromptConfig(json: #"{"enabled":false,"slot_id":1,"numbers":{"1":1,"2":3,"3":null}}"#)
        #expect(
            both.replacing(one, by: two)
                == QuotaPromptConfig(json: #"{"enabled":false,"slot_id":2,"numbers":{"1":2,"2":3,"3":null}}"#)
        )
        for text in [nil, "{}", #"{"slot_id":null}"#, #"{"slot_id":3,"numbers":{"1":3}}"#] as [String?] {
            #expect(replaced(text) == nil)
        }
    }
}
