/// A70: reads what a person says for the numbers before him: `"1"` or `"3-5"`.
///
/// - Returns: nil for what is no number above 0 and no range, and for a range that goes backwards.
public func reviewNumbers(_ text: String) -> ClosedRange<Int>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { trimmed(String($0)) }
    guard (1...2).contains(parts.count) else { return nil }
    var numbers: [Int] = []
    for part in parts {
        guard (1...9).contains(part.utf8.count), part.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int(part), number > 0
        else { return nil }
        numbers.append(number)
    }
    guard let first = numbers.first, let last = numbers.last, first <= last else { return nil }
    return first...last
}
