import Domain
import Testing
import Time

@Suite("T-16 The day's progress")
struct DayProgressTests {
    func progress(_ tasks: [TaskItem], done: Int) -> DayProgress {
        dayProgress(of: tasks, completedToday: done, now: at("14:20"), prefs: prefs())
    }

    /// The targets in order: over target since yesterday, this morning, tonight, and the first second of tomorrow.
    let some = [
        task(1, target: at("10-13 09:00")), task(2, target: at("09:00")), task(3, target: at("23:59:59")),
        task(4, target: at("10-15 00:00")), task(5),
    ]

    @Test func `T-16 n of m: done today, and those with what is open on Today`() {
        let day = progress(some, done: 2)
        #expect(day.done == 2 && day.total == 5 && day.lines.isEmpty && day.coming.isEmpty)
    }

    @Test func `T-16 reminders, quotas, what is done and what is thrown away are in none of it`() {
        var others = (6...9).map { task($0, target: at("16:00")) }
        others[0].isReminder = true
        others[1].isTracked = true
        others[2].done = true
        others[3].deletedAt = at("12:00")
        #expect(progress(others, done: 0).total == 0)
    }

    @Test func `T-16 nothing open and something done is a complete day`() {
        let day = progress([task(4, target: at("10-15 09:00"))], done: 3)
        #expect(day.lines == ["Congratulations", "Day complete", "3 done today"])
        #expect(day.coming.isEmpty)
    }

    @Test func `T-16 T-18 nothing due shows the next three after today`() {
        let ahead = [
            task(1, target: at("10-18 09:00")), task(9, target: at("10-15 09:00")),
            task(2, target: at("10-15 09:00")), task(3, target: at("10-16 09:00")), task(4),
        ]
        let day = progress(ahead, done: 0)
        #expect(day.lines == ["Nothing due today"])
        #expect(day.coming.map(\.id.rawValue) == [2, 9, 3])
    }
}
