import Domain
public import Interfaces
public import Time

/// One person's check: the rule of N-10 to N-17, between the words of the interface.
///
/// - Returns: nil when the facts name a zone that this machine does not know.
public func check(_ person: ClockInterface.Person, now: Instant) -> ClockInterface.Check? {
    guard let zone = Zone(person.timezone) else { return nil }
    var prefs = Preferences(zone: zone)
    prefs.notificationsEnabled = person.notificationsEnabled
    prefs.criticalAlertVolume = person.criticalAlertVolume
    let facts = person.facts.map { fact in
        OverTargetFact(
            id: TaskItem.ID(rawValue: fact.id), version: fact.version, title: fact.title,
            priority: TaskItem.Priority(rawValue: fact.priority) ?? .unset,
            target: Instant(seconds: fact.dueAt),
            deadline: fact.deadlineAt.map(Instant.init(seconds:)), interval: fact.intervalMinutes,
            lookAt: Instant(seconds: fact.lookAt))
    }
    // The numbers that a notification carries are the api's to count, at the commit.
    let decision = overTargetCheck(
        facts, totals: OverTargetTotals(overTarget: facts.count, sweepWouldMove: facts.count), now: now,
        prefs: prefs)
    let told = Dictionary(uniqueKeysWithValues: decision.alerts.map { ($0.id, $0.n) })
    let summarized = Set(decision.summarized)
    // In the order of N-14, in which the api puts the messages into its outbox.
    let order = decision.alerts.map(\.id) + decision.summarized + decision.silent
    let byID = Dictionary(uniqueKeysWithValues: facts.map { ($0.id, $0) })
    let decisions = order.compactMap { id -> ClockInterface.Decision? in
        guard let fact = byID[id] else { return nil }
        let point =
            summarized.contains(id)
            ? pointIndex(target: fact.target, interval: fact.interval, now: now) : told[id]
        return ClockInterface.Decision(
            id: id.rawValue, version: fact.version, dueAt: fact.target.seconds, lookAt: fact.lookAt.seconds,
            point: point, isSummarized: summarized.contains(id),
            nextLook: decision.nextLook[id].flatMap { $0 }?.seconds)
    }
    return ClockInterface.Check(user: person.user, at: now.seconds, decisions: decisions)
}
