// M-12 to M-15: a user's reminders and quota reminders of one day, by period.

public import Time

/// M-12: what a period has today.
public struct PeriodItems: Hashable, Sendable {
    /// nil: Anytime.
    public var period: Period?
    /// M-3, in the order of M-7.
    public var waiting: [TaskItem] = []
    /// M-5, newest first.
    public var considered: [TaskItem] = []
    /// its quota reminders, by title, handled ones too.
    public var prompts: [QuotaPrompt] = []

    /// they count like reminders.
    public var waitingPrompts: [QuotaPrompt] { prompts.filter(\.isWaiting) }
    public var left: Int { waiting.count + prompts.count(where: \.isWaiting) }
    public var handled: Int { considered.count + prompts.count { !$0.isWaiting } }
    public var total: Int { left + handled }
    /// Also before its start.
    public var isFinished: Bool { total >= 1 && left == 0 }
}

/// M-12: every period in order of its start, empty ones too, then Anytime.
public struct ReminderDay: Hashable, Sendable {
    public var groups: [PeriodItems]
    /// Open ones that neither wait nor were considered today.
    public var notToday: [TaskItem]

    /// - Parameters:
    ///   - items: of one user; all his open reminders and quotas, and the reminders that he completed today.
    ///   - periods: his, in any order.
    ///   - prefs: his.
    public init(of items: [TaskItem], periods: [Period], now: Instant, prefs: Preferences) {
        let zone = prefs.zone
        let today = zone.date(now)
        let ordered = periods.sorted { $0.start < $1.start }
        groups = ordered.map { PeriodItems(period: $0) } + [PeriodItems()]
        notToday = []
        let index = Dictionary(uniqueKeysWithValues: ordered.enumerated().map { ($1.id, $0) })
        func group(of id: Period.ID?) -> Int { id.flatMap { index[$0] } ?? ordered.count }

        for reminder in orderedReminders(items.filter { $0.kind == .reminder }, zone: zone) {
            let at = group(of: period(of: reminder, periods: ordered, zone: zone)?.id)
            if reminder.isConsidered(on: today, zone: zone) {
                groups[at].considered.append(reminder)
            } else if reminder.isWaiting(on: today, zone: zone) {
                groups[at].waiting.append(reminder)
            } else if reminder.isOpen {
                notToday.append(reminder)
            }
        }
        for at in groups.indices {
            groups[at].considered.sort {
                ($0.lastCompletedAt ?? now, $0.id) > ($1.lastCompletedAt ?? now, $1.id)
            }
        }
        for prompt in quotaPrompts(of: items, periods: ordered, now: now, prefs: prefs) {
            groups[group(of: prompt.period)].prompts.append(prompt)
        }
    }

    /// The items of a period; nil: of Anytime.
    public subscript(period: Period.ID?) -> PeriodItems? {
        groups.first { $0.period?.id == period }
    }

    /// M-14: nothing waits anywhere, and something was handled.
    public var isComplete: Bool {
        groups.allSatisfy { $0.left == 0 } && groups.contains { $0.handled > 0 }
    }

    /// M-13: where the view goes after the last item of a period: to the earliest started period that has something
    /// waiting; nil: it stays.
    public func next(after period: Period.ID?, now: Instant, zone: Zone) -> Period? {
        if let present = self[period], present.left > 0 { return nil }
        return groups.first { group in
            group.left > 0 && group.period?.isStarted(at: now, zone: zone) == true
        }?.period
    }

    /// N-40: the periods that had something left in an earlier state of this day and have nothing left in this one.
    public func finished(since earlier: ReminderDay) -> [Period.ID] {
        groups.compactMap { group in
            guard let id = group.period?.id, group.left == 0, let before = earlier[id], before.left > 0 else {
                return nil
            }
            return id
        }
    }
}
