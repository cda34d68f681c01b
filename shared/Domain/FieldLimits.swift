// T-3 and the ranges of api 2.1.

/// T-3: trimmed, 1 to 10,000 code points.
func validTitle(_ text: String) throws(Refusal) -> String {
    let title = trimmed(text)
    guard !title.isEmpty else { throw .invalid(.title, "The title is empty") }
    // Nobody can type or see them, and what shows a title may stop at them.
    guard !title.unicodeScalars.contains(where: isInvisibleControl) else {
        throw .invalid(.title, "The title has control characters")
    }
    guard title.unicodeScalars.count <= 10_000 else {
        throw .invalid(.title, "The title is longer than 10,000 characters")
    }
    return title
}

/// T-3: 0 to 100,000 code points.
func validNotes(_ text: String?) throws(Refusal) -> String? {
    guard (text?.unicodeScalars.count ?? 0) <= 100_000 else {
        throw .invalid(.notes, "The notes are longer than 100,000 characters")
    }
    return text
}

/// At most 24 code points, trimmed; empty means none.
func validShortTitle(_ text: String?) throws(Refusal) -> String? {
    guard let title = text.map(trimmed), !title.isEmpty else { return nil }
    guard title.unicodeScalars.count <= 24 else {
        throw .invalid(.shortTitle, "The short title is longer than 24 characters")
    }
    return title
}

///
func validProgressTarget(_ number: Int) throws(Refusal) -> Int {
    guard (1...1000).contains(number) else {
        throw .invalid(.progressTarget, "The number of times is not between 1 and 1,000")
    }
    return number
}

/// T-9: minutes; 0 = none.
func validRepeatInterval(_ minutes: Int?) throws(Refusal) -> Int? {
    guard let minutes else { return nil }
    guard (0...10_080).contains(minutes) else {
        throw .invalid(.repeatInterval, "The repeat interval is not between 0 and 10,080 minutes")
    }
    return minutes
}

/// Without white space and line ends around it.
func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
        let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
}

/// L-1, L-5: labels trimmed and without repetitions, compared without case, the first writing kept.
func withoutDuplicates(_ labels: [String]) -> [String] {
    var seen: Set<String> = []
    return labels.map(trimmed).filter { !$0.isEmpty && seen.insert($0.lowercased()).inserted }
}

/// Controls of ASCII other than tab and line ends.
public func isInvisibleControl(_ scalar: Unicode.Scalar) -> Bool {
    (scalar.value < 0x20 && !["\t", "\n", "\r"].contains(scalar)) || scalar.value == 0x7F
}
