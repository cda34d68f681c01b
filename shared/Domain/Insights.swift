// enrich section 6: the hard rules of advice, held against whatever an advisor answers.

public import Time

/// What may be said of a task (api 2.18).
public enum InsightSignal: String, CaseIterable, Sendable {
    case review, stale
    case actSoon = "act_soon"
    case quickWin = "quick_win"
    case vague, misprioritized

    public var label: String {
        switch self {
        case .review: "Review"
        case .stale: "Stale"
        case .actSoon: "Act soon"
        case .quickWin: "Quick win"
        case .vague: "Vague"
        case .misprioritized: "Misprioritized"
        }
    }

    /// Of the colours of api 2.4.
    public var color: String {
        switch self {
        case .review: "blue"
        case .stale: "gray"
        case .actSoon: "red"
        case .quickWin: "green"
        case .vague: "purple"
        case .misprioritized: "orange"
        }
    }

    /// The name of a picture that clients know.
    public var icon: String {
        switch self {
        case .review: "eye"
        case .stale: "clock"
        case .actSoon: "alert-triangle"
        case .quickWin: "zap"
        case .vague: "help-circle"
        case .misprioritized: "arrow-up-down"
        }
    }

    public var meaning: String {
        switch self {
        case .review: "Worth another look"
        case .stale: "Open for three weeks or longer"
        case .actSoon: "Important, and its time is near"
        case .quickWin: "Done in a few minutes"
        case .vague: "It does not say what to do"
        case .misprioritized: "Its priority does not fit it"
        }
    }
}

/// What was found about a task.
public struct Insight: Hashable, Sendable {
    /// 0 to 100: how much attention it needs.
    public var score: Int
    /// One line.
    public var commentary: String
    /// At most two.
    public var signals: [InsightSignal]

    public init(score: Int, commentary: String, signals: [InsightSignal]) {
        self.score = score
        self.commentary = commentary
        self.signals = signals
    }
}

/// An answer about a task, made to keep the hard rules: 0 to 100, at most 25 for an urgent task; one line; at most two
/// signals that are known, `stale` only from 21 days on, `act_soon` only from High up.
public func checkedInsight(
    _ task: TaskItem, score: Int, commentary: String, signals: [String], now: Instant
) -> Insight {
    let most = task.priority == .urgent ? 25 : 100
    var kept: [InsightSignal] = []
    for signal in signals.compactMap(InsightSignal.init(rawValue:)) where !kept.contains(signal) {
        switch signal {
        case .stale where now.seconds(since: task.createdAt) < 21 * 86_400: continue
        case .actSoon where task.priority < .high: continue
        default: kept.append(signal)
        }
    }
    return Insight(
        score: min(max(score, 0), most), commentary: oneLine(commentary), signals: Array(kept.prefix(2)))
}

/// What may be advised to begin with: the user's open tasks that are over target, due within seven days, or undated;
/// no daily habits, and no urgent ones, which say so themselves.
public func isCandidateForNext(_ task: TaskItem, now: Instant, zone: Zone) -> Bool {
    guard task.isOpen, task.kind == .task, task.priority != .urgent else { return false }
    if let rrule = task.rrule, rrule.contains("FREQ=DAILY") { return false }
    guard let target = task.target else { return true }
    return zone.date(target) <= zone.date(now).adding(days: 7)
}

/// Words of an advisor as one line of at most `limit` characters.
public func oneLine(_ text: String, limit: Int = 300) -> String {
    cut(text.split(whereSeparator: \.isWhitespace).joined(separator: " "), to: limit)
}
