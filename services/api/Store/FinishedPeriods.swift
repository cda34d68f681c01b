import Domain
import SQLite
import Time

extension Transaction {
    /// N-40: the periods that have nothing left any more because of these changes, by their owner. Whatever is shown of
    /// them on a device is out of date.
    func finishedPeriods(_ changed: [Written]) throws -> [UserID: [Period.ID]] {
        var former: [UserID: [TaskItem.ID: TaskItem]] = [:]
        for item in changed {
            // Only what has waited until now can leave nothing waiting.
            guard let before = item.before, before.isOpen, before.kind != .task else { continue }
            let zone = try preferences(of: before.owner).zone
            guard before.kind == .quota || before.isWaiting(on: zone.date(now), zone: zone) else { continue }
            former[before.owner, default: [:]][before.id] = before
        }
        var finished: [UserID: [Period.ID]] = [:]
        for (owner, former) in former {
            let prefs = try preferences(of: owner)
            let periods = try periods(of: owner)
            let present = try dayItems(of: owner, now: now, zone: prefs.zone)
            let earlier = present.filter { former[$0.id] == nil } + former.values
            let days = [earlier, present].map {
                ReminderDay(of: $0, periods: periods, now: now, prefs: prefs)
            }
            let ids = days[1].finished(since: days[0])
            if !ids.isEmpty { finished[owner] = ids }
        }
        return finished
    }
}
