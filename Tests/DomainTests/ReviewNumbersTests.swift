import Domain
import Testing

@Suite("A70 The numbers of a review")
struct ReviewNumbersTests {
    @Test(arguments: [
        ("1", 1...1), ("12", 12...12), ("3-5", 3...5), (" 3 - 5 ", 3...5), ("7-7", 7...7), ("007", 7...7),
    ])
    func `a number or a range`(_ text: String, _ numbers: ClosedRange<Int>) {
        #expect(reviewNumbers(text) == numbers)
    }

    @Test(arguments: [
        "", "0", "-1", "1-", "-", "5-3", "1-2-3", "x", "1.5", "1,2", "+1", "٣", "9999999999", "1 2",
    ])
    func `anything else is none`(_ text: String) {
        #expect(reviewNumbers(text) == nil)
    }

    @Test(arguments: [
        (0, "0 min"), (5, "5 min"), (60, "1 h"), (90, "1 h 30 min"), (1440, "1 d"), (1501, "1 d 1 h 1 min"),
        (525_600, "365 d"),
    ])
    func `U-12 how far many tasks were moved`(_ minutes: Int, _ text: String) {
        #expect(durationText(minutes: minutes) == text)
    }
}
