/// What somebody typed into a search field, taken apart (A14).
///
/// Words are separated by white space; all must be there, each at least as the beginning of a word. What stands in
/// quotes stays together, word for word; a quote that is still open is being typed, so its last word may be a beginning.
/// A leading `-` excludes what the term would find. Everything else is text to look for, whatever it looks like.
public struct Search: Hashable, Sendable {
    public struct Term: Hashable, Sendable {
        public var text: String
        /// Its last word may go on in what is found.
        public var isBeginning: Bool

        public init(_ text: String, isBeginning: Bool = true) {
            self.text = text
            self.isBeginning = isBeginning
        }
    }

    /// More than anybody types; whatever asks for more is refused.
    public static let mostTerms = 100

    public private(set) var wanted: [Term] = []
    public private(set) var excluded: [Term] = []

    public var count: Int { wanted.count + excluded.count }

    public init(_ typed: String) {
        var rest = Substring(typed).unicodeScalars
        while let first = rest.first {
            if first.properties.isWhitespace {
                rest.removeFirst()
                continue
            }
            var excludes = false
            if first == "-", let next = rest.dropFirst().first, !next.properties.isWhitespace {
                excludes = true
                rest.removeFirst()
            }
            let term = Self.term(&rest)
            if excludes { excluded.append(term) } else { wanted.append(term) }
        }
    }

    /// Phones put curly quotes for straight ones.
    private static let quotes: Set<Unicode.Scalar> = ["\"", "“", "”", "„", "«", "»"]

    /// Takes the next term off the text, which is not empty.
    private static func term(_ rest: inout Substring.UnicodeScalarView) -> Term {
        if let first = rest.first, quotes.contains(first) {
            rest.removeFirst()
            guard let end = rest.firstIndex(where: quotes.contains) else {
                defer { rest = rest[rest.endIndex...] }
                return Term(String(rest))
            }
            defer { rest = rest[rest.index(after: end)...] }
            return Term(String(rest[..<end]), isBeginning: false)
        }
        let end = rest.firstIndex { $0.properties.isWhitespace } ?? rest.endIndex
        defer { rest = rest[end...] }
        return Term(String(rest[..<end]))
    }
}
