internal import Interfaces
internal import Time

/// What has been read of a line so far: fields, cut stretches, and the line that is left for the next family.
struct Reading {
    struct Cut {
        var range: Range<Int>
        var field: String
    }

    let units: [UInt16]
    let here: Circumstances
    let kind: String
    private(set) var line: Line
    /// In the order in which they were found.
    private(set) var cuts: [Cut] = []
    /// Recognised, but left in the title: two dates, an estimate, a project's name.
    private(set) var seen: [Cut] = []
    private var pending: [Range<Int>] = []

    var day: Day?
    var clock: Clock?
    var clockZone: Int?
    var part: PartOfDay?
    var deadline: DeadlineHit?
    var rule: RuleHit?
    var ruleStart: (day: Day?, clock: Clock?)?
    var isFromCompletion = false
    var autoSnooze: Int?
    var estimate: Int?
    var priority = PriorityFound()
    var labels: [String] = []
    var project: String?
    var notes: [String] = []
    /// Words about the day's second half: dinner, party. Breakfast is false.
    var topicIsAfternoon: Bool?

    init(_ units: [UInt16], tokens: [Token], kind: String, here: Circumstances) {
        self.units = units
        self.kind = kind
        self.here = here
        line = Line(tokens: tokens, here: here)
        for token in tokens where token.kind == .word {
            switch token.key {
            case .dinner, .supper, .drinks, .movie, .concert, .party:
                topicIsAfternoon = topicIsAfternoon ?? true
            case .breakfast: topicIsAfternoon = false
            default: break
            }
        }
    }

    /// Takes tokens out of the title once `settle()` is called, with the preposition in front and brackets around.
    mutating func cut(_ tokens: Range<Int>, _ field: String, preposition: Bool = false) {
        var (first, end) = (tokens.lowerBound, tokens.upperBound)
        if preposition {
            if line.key(first - 1) == .the, line.key(first - 2) == .on { first -= 1 }
            switch line.key(first - 1) {
            case .on, .at, .by, .from, .for: first -= 1
            default: if line.sign(first - 1, "@") { first -= 1 }
            }
        }
        let pairs: [(Unicode.Scalar, Unicode.Scalar)] = [("(", ")"), ("[", "]"), ("{", "}")]
        for (open, close) in pairs where line.sign(first - 1, open) && line.sign(end, close) {
            first -= 1
            end += 1
        }
        pending.append(first..<end)
        cuts.append(Cut(range: line[first].start..<line[end - 1].end, field: field))
    }

    /// Tokens that are cut and not settled yet.
    var pendingTokens: [Int] { pending.flatMap { Array($0) } }

    /// Remembers a stretch that became a field and stays in the title.
    mutating func keep(_ tokens: Range<Int>, _ field: String) {
        seen.append(Cut(range: line[tokens.lowerBound].start..<line[tokens.upperBound - 1].end, field: field))
    }

    /// Removes what was cut from the line, so that the next family does not read it again.
    mutating func settle() {
        guard !pending.isEmpty else { return }
        var isCut = [Bool](repeating: false, count: line.count)
        for range in pending { for i in range { isCut[i] = true } }
        pending = []
        var tokens: [Token] = []
        tokens.reserveCapacity(line.count)
        var isAfterCut = false
        for (i, token) in line.tokens.enumerated() {
            if isCut[i] {
                isAfterCut = true
                continue
            }
            var token = token
            if isAfterCut { token.isAfterCut = true }
            isAfterCut = false
            tokens.append(token)
        }
        line = Line(tokens: tokens, here: here)
    }

    /// The words of a token range, as typed.
    func text(_ tokens: Range<Int>) -> String {
        String(
            decoding: units[line[tokens.lowerBound].start..<line[tokens.upperBound - 1].end], as: UTF16.self)
    }
}
