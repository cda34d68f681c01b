import Domain
import Testing
import Time

@Suite("Q: logging, and acting on quota reminders")
struct QuotaProgressTests {
    private let now = at("10:00")
    private func weekly(_ target: Int, _ count: Int = 0) -> TaskItem {
        quota("FREQ=WEEKLY", target, count, start: at("10-11 00:00"))
    }
    private func daily(_ target: Int, _ count: Int = 0) -> TaskItem {
        quota("FREQ=DAILY", target, count, start: at("00:00"))
    }

    @Test func `Q-4: logging adds, taking back stops at 0, and what was really applied is told`() throws {
        let three = try logProgress(3, on: weekly(3), now: now, prefs: prefs()).get()
        #expect(three.quota.progressCurrent == 3 && three.applied == 3 && three.isMet)
        let two = try logProgress(-1, on: three.quota, now: now, prefs: prefs()).get()
        #expect(two.quota.progressCurrent == 2 && two.applied == -1 && !two.isMet)
        let none = try logProgress(-1000, on: two.quota, now: now, prefs: prefs()).get()
        #expect(none.quota.progressCurrent == 0 && none.applied == -2)
        let nothing = try logProgress(-1, on: none.quota, now: now, prefs: prefs()).get()
        #expect(nothing.applied == 0 && nothing.quota == none.quota)
    }

    @Test func `Q-1: a count may pass its target, and the quota stays open`() throws {
        let after = try logged(1, weekly(3, 3), now: now)
        #expect(after.progressCurrent == 4)
        #expect(after.isOpen && after.completionCount == 0)
        #expect(!after.isOverTarget(at: now))
        #expect(try logged(1000, weekly(3, 9_999), now: now).progressCurrent == 10_000)
    }

    @Test(arguments: [0, 1001, -1001])
    func `Q-4: a delta of 0 or beyond 1,000 is refused`(_ delta: Int) {
        #expect(throws: Refusal.self) {
            try logProgress(delta, on: weekly(3), now: now, prefs: prefs()).get()
        }
    }

    @Test func `Q-4: only an open quota takes progress`() {
        var trashed = weekly(3)
        trashed.deletedAt = now
        var archived = weekly(3)
        archived.archivedAt = now
        for item in [task(), trashed, archived] {
            #expect(throws: Refusal.self) { try logged(1, item, now: now) }
        }
    }

    @Test func `Q-11: a quota is completed only by closing its period, which zeroes the count`() throws {
        func closed(_ close: Bool) throws -> Completed {
            try complete(
                weekly(3, 3), shownTarget: nil, lastCompletedToday: false, closePeriod: close, now: now,
                prefs: prefs()
            ).get()
        }
        #expect(throws: Refusal.self) { try closed(false) }
        let done = try closed(true)
        #expect(done.task.completionCount == 1 && done.task.lastCompletedAt == now)
        #expect(done.task.progressCurrent == 0 && done.task.isOpen)
        #expect(done.task.progressPeriodStart == at("10-11 00:00"))
        #expect(throws: Refusal.self) {
            try uncomplete(
                done.task, last: LastCompletion(completedAt: now, targetWas: nil, targetNext: nil), now: now,
                prefs: prefs()
            ).get()
        }
    }

    @Test func `Golden 80, Q-22: did it on #2 at count 0 raises the count to 2, repeated it adds nothing`() {
        let once = acted(.did, "q:1:2:2026-10-14", daily(2), now: now)
        #expect(once.progressCurrent == 2)
        #expect(rows(once, now: now).allSatisfy { $0.contains("done 2/2") })
        #expect(acted(.did, "q:1:2:2026-10-14", once, now: now) == once)
    }

    @Test func `Golden 81, Q-22, Q-23: then −1 leaves #1 done and lets #2 wait`() throws {
        let did = acted(.did, "q:1:2:2026-10-14", daily(2), now: now)
        let after = try logged(-1, did, now: now)
        #expect(after.progressCurrent == 1)
        #expect(rows(after, now: now) == ["Early morning 1 done 1/2", "Morning 2 waits 1/2"])
    }

    @Test(arguments: [
        "q:1:2:2026-10-13", "q:1:2:2026-10-15", "q:1:0:2026-10-14", "q:1:3:2026-10-14",
    ])
    func `Golden 82, Q-22: a key of another day or with a number that is not there is refused`(_ text: String)
    {
        #expect(refusal(of: key(text), on: daily(2), caller: owner, now: now, prefs: prefs()) != nil)
    }

    @Test func `Q-22: another's quota, a done or trashed one, and what is none are refused`() {
        let text = "q:1:0:2026-10-14"
        func isRefused(_ quota: TaskItem?, by caller: UserID = owner) -> Bool {
            refusal(of: key(text), on: quota, caller: caller, now: now, prefs: prefs()) != nil
        }
        var done = weekly(3)
        done.archivedAt = now
        var trashed = weekly(3)
        trashed.deletedAt = now
        #expect(!isRefused(weekly(3)))
        #expect(isRefused(nil) && isRefused(task()) && isRefused(done) && isRefused(trashed))
        #expect(isRefused(weekly(3), by: UserID(rawValue: 2)))
        #expect(
            refusal(of: key("q:1:1:2026-10-14"), on: weekly(3), caller: owner, now: now, prefs: prefs())
                != nil)
    }

    @Test(arguments: [
        "", "q", "q:1:0", "q:1:0:2026-10-14:", "Q:1:0:2026-10-14", "q:01:0:2026-10-14", "q:1:00:2026-10-14",
        "q:-1:0:2026-10-14", "q:+1:0:2026-10-14", "q:1:0:2026-13-14", "q:1:1001:2026-10-14",
        "q:0:0:2026-10-14",
        "q:99999999999999999999:0:2026-10-14", "q:1:0:2026-10-14 ", "q:١:0:2026-10-14", "q::0:2026-10-14",
    ])
    func `Q-20: a malformed key is none`(_ text: String) {
        #expect(QuotaPromptKey(text) == nil)
    }

    @Test func `Q-20: a key is written as it is read`() {
        #expect(key("q:17:4:2026-10-14").description == "q:17:4:2026-10-14")
        #expect(key("q:17:4:2026-10-14").number == 4)
    }

    @Test func `Q-22: considered is handled without progress, and twice is once`() {
        let once = acted(.consider, "q:1:0:2026-10-14", weekly(3, 1), now: now)
        #expect(once.progressCurrent == 1)
        #expect(rows(once, now: now) == ["Early morning 0 considered 1/3"])
        #expect(acted(.consider, "q:1:0:2026-10-14", once, now: now) == once)
    }

    @Test func `Q-22: did it on a quota of another period adds 1, once a day`() {
        let once = acted(.did, "q:1:0:2026-10-14", weekly(3, 1), now: now)
        #expect(once.progressCurrent == 2)
        #expect(acted(.did, "q:1:0:2026-10-14", once, now: now) == once)
        let next = at("10-15 08:00")
        #expect(acted(.did, "q:1:0:2026-10-15", once, now: next).progressCurrent == 3)
    }

    @Test func `Q-22: put back takes off exactly what this key's did-it added`() throws {
        // Count 2 already: did it on #2 adds nothing, so putting it back takes nothing.
        let found = acted(.did, "q:1:2:2026-10-14", daily(3, 2), now: now)
        #expect(found.progressCurrent == 2)
        #expect(acted(.putBack, "q:1:2:2026-10-14", found, now: now).progressCurrent == 2)
        let raised = acted(.did, "q:1:3:2026-10-14", daily(3, 1), now: now)
        #expect(raised.progressCurrent == 3)
        #expect(acted(.putBack, "q:1:3:2026-10-14", raised, now: now).progressCurrent == 1)
        let more = try logged(2, raised, now: now)
        #expect(acted(.putBack, "q:1:3:2026-10-14", more, now: now).progressCurrent == 3)
    }

    @Test func `Q-22, Q-23: put back lets wait again, others that lost their ground too`() {
        var four = acted(.did, "q:1:1:2026-10-14", daily(4), now: now)
        four = acted(.did, "q:1:4:2026-10-14", four, now: now)
        #expect(four.progressCurrent == 4)
        // #1 added 1, #4 added 3: without #1 the count is 3, which no longer supports #4.
        let back = acted(.putBack, "q:1:1:2026-10-14", four, now: now)
        #expect(back.progressCurrent == 3)
        #expect(back.quotaDay(date("2026-10-14")).did.isEmpty)
    }

    @Test func `Q-23: a quota of another period loses its did-its once net progress of the day is 0`() throws
    {
        let did = acted(.did, "q:1:0:2026-10-14", weekly(5, 1), now: now)
        let more = try logged(1, did, now: now)
        let one = try logged(-1, more, now: now)
        #expect(one.quotaDay(date("2026-10-14")).did == [key("q:1:0:2026-10-14")])
        let none = try logged(-1, one, now: now)
        #expect(none.quotaDay(date("2026-10-14")).did.isEmpty)
        #expect(none.quotaDay(date("2026-10-14")).considered.isEmpty)
        #expect(rows(none, now: now) == ["Early morning 0 waits 1/5"])
    }

    @Test func `Q-28: +1 from the watch does the row, −1 lets it wait, a stale did-it still adds 1 once`()
        throws
    {
        var quota = try logged(1, weekly(5), now: at("10-13 08:00"))
        let wednesday = at("08:00")
        #expect(rows(quota, now: wednesday) == ["Early morning 0 waits 1/5"])
        quota = try logged(1, quota, now: wednesday)
        #expect(rows(quota, now: wednesday) == ["Early morning 0 done 2/5"])
        #expect(rows(try logged(-1, quota, now: wednesday), now: wednesday) == ["Early morning 0 waits 1/5"])
        quota = acted(.did, "q:1:0:2026-10-14", quota, now: wednesday)
        #expect(quota.progressCurrent == 3)
        #expect(acted(.did, "q:1:0:2026-10-14", quota, now: wednesday).progressCurrent == 3)
    }

    @Test func `Q-25: the record of another date reads as empty`() throws {
        let did = acted(.did, "q:1:0:2026-10-14", weekly(5), now: now)
        #expect(did.quotaDay(date("2026-10-14")).logged == 1)
        #expect(did.quotaDay(date("2026-10-15")) == QuotaDayState(date: date("2026-10-15")))
        let next = try logged(1, did, now: at("10-15 09:00"))
        #expect(next.quotaDay(date("2026-10-15")).logged == 1)
        #expect(next.quotaDay(date("2026-10-15")).did.isEmpty)
    }

    @Test func `Q-25: a record is written as it is read`() {
        let did = acted(.did, "q:1:2:2026-10-14", daily(3), now: now)
        #expect(
            did.quotaDayState
                == #"{"date":"2026-10-14","logged":2,"did":["q:1:2:2026-10-14"],"considered":["q:1:2:2026-10-14"],"did_applied":{"q:1:2:2026-10-14":2}}"#
        )
        #expect(QuotaDayState(json: did.quotaDayState)?.json == did.quotaDayState)
    }

    @Test func `Q-22: an old record that does not say what a did-it added`() {
        // api 2.7: 1 for a reminder once a day, 0 for a numbered one.
        var once = weekly(3, 2)
        once.quotaDayState =
            #"{"date":"2026-10-14","logged":1,"did":["q:1:0:2026-10-14"],"considered":[]}"#
        #expect(acted(.putBack, "q:1:0:2026-10-14", once, now: now).progressCurrent == 1)
        var numbered = daily(3, 2)
        numbered.quotaDayState =
            #"{"date":"2026-10-14","logged":2,"did":["q:1:2:2026-10-14"],"considered":[]}"#
        #expect(acted(.putBack, "q:1:2:2026-10-14", numbered, now: now).progressCurrent == 2)
    }

    @Test func `Q-13: it lands on the owner's day`() throws {
        // 03:00 in Tokyo is still yesterday noon in Chicago.
        let after = try logged(1, weekly(3), now: at("2026-10-15 03:00", "Asia/Tokyo"))
        #expect(after.quotaDay(date("2026-10-14")).logged == 1)
    }

    @Test func `T-11, Q-4: a count that is set counts as logged today`() throws {
        let set = try edited(weekly(5, 1), now: now) { $0.progressCurrent = 3 }.task
        #expect(set.progressCurrent == 3)
        #expect(set.quotaDay(date("2026-10-14")).logged == 2)
    }

    @Test func `T-12: task to quota loses its dates, quota to task its count and day record`() throws {
        var dated = task(target: at("12:00"), deadline: at("18:00"))
        dated.horizon = .weeks
        let made = try edited(dated, now: now) { patch in
            patch.progressTarget = 3
            patch.rrule = "FREQ=WEEKLY"
        }.task
        #expect(made.kind == .quota && made.target == nil && made.deadline == nil && made.horizon == nil)
        #expect(made.originalTarget == nil && made.anchorTime == nil && made.rrule == "FREQ=WEEKLY")
        #expect(made.progressPeriodStart == at("10-11 00:00"))
        #expect(throws: Refusal.self) { try edited(task(), now: now) { $0.progressTarget = 3 } }
        #expect(throws: Refusal.self) {
            try edited(task(), now: now) { patch in
                patch.progressTarget = 3
                patch.rrule = "FREQ=WEEKLY;BYDAY=MO"
            }
        }
        let counted = try logged(2, made, now: now)
        let back = try edited(counted, now: now) { $0.progressTarget = 1 }.task
        #expect(back.kind == .task && back.rrule == nil && back.progressCurrent == 0)
        #expect(back.progressPeriodStart == nil && back.quotaDayState == nil)
        let recurring = try edited(counted, now: now) { patch in
            patch.progressTarget = 1
            patch.rrule = "FREQ=DAILY"
        }.task
        #expect(recurring.kind == .task && recurring.rrule == "FREQ=DAILY" && recurring.target != nil)
    }

    @Test func `U-4, U-5: undoing one's +1 leaves what others logged since`() throws {
        let before = weekly(5, 1)
        let mine = try logged(1, before, now: now)
        let theirs = acted(.did, "q:1:0:2026-10-14", mine, now: now)
        let fields: [TaskField] = [.progressCurrent, .quotaDayState]
        let left = Dictionary(uniqueKeysWithValues: fields.map { ($0, mine[$0]) })
        let wanted = Dictionary(uniqueKeysWithValues: fields.map { ($0, before[$0]) })
        let undone = restoring(theirs, from: left, to: wanted)
        #expect(undone.task.progressCurrent == 2)
        #expect(undone.skipped.isEmpty)
        let day = undone.task.quotaDay(date("2026-10-14"))
        #expect(day.logged == 1 && day.did == [key("q:1:0:2026-10-14")])
        #expect(restoring(undone.task, from: wanted, to: left).task.quotaDay(day.date).logged == 2)
        // Alone, the very text comes back.
        #expect(restoring(mine, from: left, to: wanted).task == before)
        // The record of another day stays.
        let later = try logged(1, theirs, now: at("10-15 09:00"))
        #expect(restoring(later, from: left, to: wanted).task.quotaDayState == later.quotaDayState)
    }
}
