import Interfaces
import SchedulerService
import Testing
import Time

@Suite("N-10 to N-16 A check, in the words of the interface")
struct CheckTests {
    /// 2026-10-14 09:00 in Chicago.
    private static let nine: Int64 = 1_791_986_400
    private static let minute: Int64 = 60

    private func fact(
        _ id: Int64, priority: Int = 0, target: Int64 = nine, interval: Int = 30, look: Int64? = nil
    ) -> ClockInterface.Fact {
        .init(
            id: id, version: Int(id) + 10, title: "task \(id)", priority: priority, dueAt: target,
            deadlineAt: nil,
            intervalMinutes: interval, lookAt: look ?? target)
    }

    private func person(
        _ facts: [ClockInterface.Fact], enabled: Bool = true, zone: String = "America/Chicago"
    )
        -> ClockInterface.Person
    {
        .init(user: 7, timezone: zone, notificationsEnabled: enabled, criticalAlertVolume: 1, facts: facts)
    }

    @Test func `a target that has come is told, with what it was decided from and when to look again`() throws
    {
        let made = try #require(check(person([fact(1)]), now: Instant(seconds: Self.nine)))
        #expect(made.user == 7)
        #expect(made.at == Self.nine)
        #expect(
            made.decisions == [
                .init(
                    id: 1, version: 11, dueAt: Self.nine, lookAt: Self.nine, point: 0, isSummarized: false,
                    nextLook: Self.nine + 30 * Self.minute)
            ])
    }

    @Test(
        arguments: [
            // Minutes after the target, the look that was due, the point told, the next look.
            (0, 0, 0, 30), (30, 30, 1, 60), (31, 30, nil, 60), (29, 0, 0, 30), (95, 0, 3, 120),
            (95, 60, nil, 120),
            (90, 90, 3, 120),
        ] as [(Int64, Int64, Int?, Int64)])
    func `N-12: a fresh point is told, a missed one only if it was the first`(
        _ after: Int64, _ look: Int64, _ point: Int?, _ next: Int64
    ) throws {
        let late = fact(1, look: Self.nine + look * Self.minute)
        let made = try #require(
            check(person([late]), now: Instant(seconds: Self.nine + after * Self.minute)))
        #expect(made.decisions.map(\.point) == [point])
        #expect(made.decisions.map(\.nextLook) == [Self.nine + next * Self.minute])
    }

    @Test func `golden 88: with interval 0 never, and no further look`() throws {
        let made = try #require(
            check(person([fact(1, priority: 4, interval: 0)]), now: Instant(seconds: Self.nine)))
        #expect(made.decisions.map(\.point) == [nil])
        #expect(made.decisions.map(\.nextLook) == [nil])
    }

    @Test func `N-14, N-15: in their order, the rest summarized with its points`() throws {
        let facts = [
            fact(1), fact(2, priority: 1), fact(3, priority: 4), fact(4, priority: 2),
            fact(5, priority: 2, target: Self.nine - 30 * Self.minute, look: Self.nine), fact(6),
            fact(7, priority: 3),
        ]
        let made = try #require(check(person(facts), now: Instant(seconds: Self.nine)))
        #expect(made.decisions.map(\.id) == [3, 7, 5, 4, 2, 1, 6])
        #expect(made.decisions.map(\.isSummarized) == [false, false, false, false, false, false, true])
        #expect(made.decisions.map(\.point) == [0, 0, 1, 0, 0, 0, 0])
    }

    @Test func `N-2: with notifications off nothing is told and every look moves on`() throws {
        let made = try #require(
            check(person([fact(1), fact(2)], enabled: false), now: Instant(seconds: Self.nine)))
        #expect(made.decisions.map(\.point) == [nil, nil])
        #expect(made.decisions.map(\.nextLook) == [Self.nine + 1800, Self.nine + 1800])
    }

    @Test func `a zone that this machine does not know makes no check`() {
        #expect(check(person([fact(1)], zone: "Mars/Olympus"), now: Instant(seconds: Self.nine)) == nil)
    }
}
