import Testing
import Time

@Suite("Local dates and times")
struct LocalDateTests {
    @Test(arguments: [
        // Days since 1970-01-01 by Python's date.toordinal().
        ("1970-01-01", 0, 3), ("2000-02-29", 11_016, 1), ("2026-10-14", 20_740, 2), ("1969-12-31", -1, 2),
        ("1900-01-01", -25_567, 0), ("1600-03-01", -135_080, 2), ("2100-02-28", 47_540, 6),
        ("0001-01-01", -719_162, 0), ("9999-12-31", 2_932_896, 4),
    ])
    func `a date is a number of days`(_ text: String, _ days: Int, _ weekday: Int) throws {
        let date = try #require(LocalDate(text))
        #expect(date.daysSince1970 == days)
        #expect(date.weekday == weekday)
        #expect(date.description == text)
        #expect(LocalDate(daysSince1970: days) == date)
    }

    @Test func `every day of eight centuries comes back from its parts`() {
        var expectedWeekday = LocalDate(daysSince1970: -150_000).weekday
        var wrong: [Int] = []
        for days in -150_000...150_000 {
            let date = LocalDate(daysSince1970: days)
            let comesBack = LocalDate(year: date.year, month: date.month, day: date.day) == date
            if !comesBack || date.weekday != expectedWeekday { wrong.append(days) }
            expectedWeekday = (expectedWeekday + 1) % 7
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        "2026-02-29", "2026-13-01", "2026-00-10", "2026-06-31", "2026-6-01", "26-06-01", "2026/06/01",
        "2026-06-01T", "", "١٢٣٤-06-01", "2100-02-29", "-026-06-01", "2026-06-00",
    ])
    func `what is no date is none`(_ text: String) {
        #expect(LocalDate(text) == nil)
    }

    @Test(arguments: [
        ("2026-01-31", 1, "2026-02-28"), ("2024-01-31", 1, "2024-02-29"), ("2026-03-31", -1, "2026-02-28"),
        ("2026-10-14", 12, "2027-10-14"), ("2024-02-29", 12, "2025-02-28"), ("2026-01-15", -1, "2025-12-15"),
        ("2026-12-31", 2, "2027-02-28"), ("2026-01-15", -13, "2024-12-15"),
    ])
    func `X-6 months keep the day, or end with the month`(_ from: String, _ months: Int, _ to: String) throws
    {
        #expect(try #require(LocalDate(from)).adding(months: months).description == to)
    }

    @Test(arguments: ["00:00", "09:05", "19:59", "23:59"])
    func `X-3 HH:MM is a time of day`(_ text: String) {
        #expect(LocalTime(text)?.description == text)
    }

    @Test(arguments: [
        "24:00", "9:00", "09:60", "09:5", "09:00:00", "0900", "", " 9:00", "09:00 ", "٠٩:٠٠", "-1:00",
    ])
    func `X-3 nothing else is`(_ text: String) {
        #expect(LocalTime(text) == nil)
    }
}
