// W-1 to W-9: when a device's widgets are told to fetch anew.

public import Time

/// What is known of one widget token; kept durably (W-9).
public struct WidgetPace: Hashable, Sendable {
    /// When the last push was sent that did not fail (W-7).
    public var lastPush: Instant?
    /// When the pending push is due; nil: none is pending. At most one ever is (W-4).
    public var due: Instant?

    public init(lastPush: Instant? = nil, due: Instant? = nil) {
        self.lastPush = lastPush
        self.due = due
    }
}

/// The least time between two pushes of one token.
public enum WidgetInterval: Hashable, Sendable {
    /// W-6: a Mac; also an interval of 0.
    case settleOnly
    case seconds(Int64)
}

/// What becomes of a pending push.
public enum WidgetDecision: Hashable, Sendable {
    case nothing
    /// Not before this instant.
    case wait(until: Instant)
    case push
}

extension WidgetPace {
    /// W-3, in seconds.
    private static let settle: Int64 = 2

    /// W-3, W-4: something that widgets show has changed. A push that is pending already takes the change along.
    public mutating func changed(at now: Instant, interval: WidgetInterval) {
        guard due == nil else { return }
        let settled = now.adding(seconds: Self.settle)
        switch (interval, lastPush) {
        case (.seconds(let seconds), let last?): due = max(settled, last.adding(seconds: seconds))
        default: due = settled
        }
    }

    /// W-5, W-6, W-9: judged when it is due, by the owner's preferences of that moment.
    ///
    /// - Parameter quietHours: the owner's preferences; nil for a Mac, and where quiet hours are switched off.
    public func decision(at now: Instant, quietHours prefs: Preferences?) -> WidgetDecision {
        guard let due else { return .nothing }
        guard due <= now else { return .wait(until: due) }
        if let prefs, !isAwake(at: now, prefs: prefs) {
            return .wait(until: next(prefs.wakeTime, after: now, zone: prefs.zone))
        }
        return .push
    }

    /// It was sent: changes from now on make a new one.
    ///
    /// - Parameter sentAt: when; nil: it failed, and does not use up the interval (W-7).
    public mutating func pushed(_ sentAt: Instant?) {
        due = nil
        if let sentAt { lastPush = sentAt }
    }
}

/// W-2, V-77: whether a change of an item shows on a widget. Notes, the own repeat interval, `ai-` labels and what
/// only the server counts do not.
///
/// - Parameter before: nil: the item is new.
public func showsOnWidgets(_ before: TaskItem?, _ after: TaskItem) -> Bool {
    guard let before else { return true }
    func shown(_ labels: [String]) -> [String] { labels.filter { !SystemLabel.isReserved($0) } }
    return after.fields(changedFrom: before).contains { field in
        switch field {
        case .labels: shown(before.labels) != shown(after.labels)
        case .notes, .originalTitle, .repeatInterval, .snoozeCount, .skipCount, .completionCount,
            .firstCompletedAt, .lastCompletedAt:
            false
        default: true
        }
    }
}
