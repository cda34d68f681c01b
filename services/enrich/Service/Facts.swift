/// What a person would miss if it were gone from a text (docs/spec/enrich.md, 1.4, "Nothing dropped"): digit runs of
/// three and more, links, e-mail addresses, quoted words.
struct Facts {
    struct Fact: Hashable {
        var text: String
        /// [start, end) in UTF-16 units.
        var range: Range<Int>
        var isNumber = false
    }

    private(set) var all: [Fact] = []

    init(_ text: String) {
        let units = Array(text.utf16)
        findNumbers(units)
        findLinks(units)
        findQuotes(units)
    }

    private mutating func add(_ units: [UInt16], _ range: Range<Int>, isNumber: Bool = false) {
        all.append(
            Fact(text: String(decoding: units[range], as: UTF16.self), range: range, isNumber: isNumber))
    }

    private mutating func findNumbers(_ units: [UInt16]) {
        var i = 0
        while i < units.count {
            let start = i
            while i < units.count, (48...57).contains(units[i]) { i += 1 }
            if i - start >= 3 { add(units, start..<i, isNumber: true) }
            i = max(i, start + 1)
        }
    }

    /// Words with `://`, `www.` at their start, or an `@` between letters.
    private mutating func findLinks(_ units: [UInt16]) {
        var i = 0
        while i < units.count {
            let start = i
            while i < units.count, !Facts.isBlank(units[i]) { i += 1 }
            if i > start, let range = Facts.link(units, start..<i) { add(units, range) }
            i = max(i, start + 1)
        }
    }

    private static func link(_ units: [UInt16], _ word: Range<Int>) -> Range<Int>? {
        var range = word
        let opening: Set<UInt16> = [0x28, 0x5B, 0x3C, 0x22, 0x201C]
        let closing: Set<UInt16> = [0x29, 0x5D, 0x3E, 0x22, 0x201D, 0x2E, 0x2C, 0x3B, 0x3A, 0x21, 0x3F]
        while let first = range.first, opening.contains(units[first]) { range = first + 1..<range.upperBound }
        while let last = range.last, closing.contains(units[last]) { range = range.lowerBound..<last }
        guard range.count > 3 else { return nil }
        let slice = units[range]
        if let colon = slice.firstIndex(of: 0x3A), colon > range.lowerBound, colon + 2 < range.upperBound,
            units[colon + 1] == 0x2F, units[colon + 2] == 0x2F
        {
            return range
        }
        if String(decoding: slice.prefix(4), as: UTF16.self).lowercased() == "www." { return range }
        if let at = slice.firstIndex(of: 0x40), at > range.lowerBound,
            units[(at + 1)..<range.upperBound].contains(0x2E)
        {
            return range
        }
        return nil
    }

    private mutating func findQuotes(_ units: [UInt16]) {
        var i = 0
        while i < units.count {
            let close: UInt16 = units[i] == 0x201C ? 0x201D : 0x22
            guard units[i] == 0x22 || units[i] == 0x201C else {
                i += 1
                continue
            }
            // Without its other half a quotation mark quotes nothing; nor does any of its kind behind it.
            guard let end = units[(i + 1)...].firstIndex(of: close) else { return }
            if end > i + 1 { add(units, i + 1..<end) }
            i = end + 1
        }
    }

    private static func isBlank(_ unit: UInt16) -> Bool {
        unit == 0x20 || (0x09...0x0D).contains(unit) || unit == 0xA0
    }
}
