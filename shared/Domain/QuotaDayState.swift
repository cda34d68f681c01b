// what happened to a quota's reminders on one day.

import JSON
public import Time

/// `quota_day_state` (api 2.7): belongs to one local date of the owner.
public struct QuotaDayState: Hashable, Sendable {
    public var date: LocalDate
    /// Net progress of the day, never below 0: a day on which more was taken back than logged starts again at 0.
    public var logged = 0
    public var did: [QuotaPromptKey] = []
    public var considered: [QuotaPromptKey] = []
    /// What each did-it really added; just that is taken back.
    public var didApplied: [QuotaPromptKey: Int] = [:]

    public init(date: LocalDate) { self.date = date }

    /// - Returns: nil for null, and for a text that names no date.
    public init?(json text: String?) {
        guard let text, let value = try? JSONValue(parsing: Array(text.utf8)),  // written below
            let date = value["date"]?.string.flatMap({ LocalDate($0) })
        else { return nil }
        self.init(date: date)
        func keys(_ name: String) -> [QuotaPromptKey] {
            value[name]?.array?.compactMap { $0.string.flatMap(QuotaPromptKey.init) } ?? []
        }
        logged = max(0, Int(value["logged"]?.int ?? 0))
        did = keys("did")
        considered = keys("considered")
        for (text, added) in value["did_applied"]?.object ?? [:] {
            if let key = QuotaPromptKey(text), let added = added.int { didApplied[key] = Int(added) }
        }
    }

    public var json: String {
        var writer = JSONWriter(capacity: 256)
        writer.object { writer in
            writer.member("date", date.description)
            writer.member("logged", logged)
            writer.array("did") { writer in for key in did { writer.value(key.description) } }
            writer.array("considered") { writer in for key in considered { writer.value(key.description) } }
            writer.object("did_applied") { writer in
                for (key, added) in didApplied.sorted(by: { $0.key.description < $1.key.description }) {
                    writer.member(named: key.description, .int(Int64(added)))
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// api 2.7: what the did-it of a key added. Records of old do not say so: 1 for a prompt once a day, 0 by number.
    func applied(_ key: QuotaPromptKey) -> Int {
        guard did.contains(key) else { return 0 }
        return didApplied[key] ?? (key.number == 0 ? 1 : 0)
    }

    /// The key waits again: it leaves both lists.
    mutating func forget(_ key: QuotaPromptKey) {
        did.removeAll { $0 == key }
        considered.removeAll { $0 == key }
        didApplied[key] = nil
    }

    /// the did-its that a count that fell no longer supports.
    mutating func forgetUnsupported(count: Int) {
        for key in did where key.number == 0 ? logged == 0 : count < key.number { forget(key) }
    }
}

extension TaskItem {
    /// the record of a day; that of another date reads as empty.
    public func quotaDay(_ date: LocalDate) -> QuotaDayState {
        if let state = QuotaDayState(json: quotaDayState), state.date == date { return state }
        return QuotaDayState(date: date)
    }

    /// Keeps the record, if it says something new.
    mutating func keep(_ day: QuotaDayState) {
        if day != quotaDay(day.date) { quotaDayState = day.json }
    }
}

/// U-4 for a day record: what the action did to it is taken back, what others did since stays.
func restoringDay(
    _ present: FieldValue, from left: FieldValue, to wanted: FieldValue
) -> FieldValue {
    if present == left { return wanted }
    let (was, willBe) = (QuotaDayState(json: left.text), QuotaDayState(json: wanted.text))
    guard var day = QuotaDayState(json: present.text), let date = (was ?? willBe)?.date, day.date == date
    else {
        return present
    }
    let empty = QuotaDayState(date: date)
    let from = was.flatMap { $0.date == date ? $0 : nil } ?? empty
    let to = willBe.flatMap { $0.date == date ? $0 : nil } ?? empty
    day.logged = max(0, day.logged + to.logged - from.logged)
    func give(_ list: WritableKeyPath<QuotaDayState, [QuotaPromptKey]>) {
        day[keyPath: list].removeAll { from[keyPath: list].contains($0) && !to[keyPath: list].contains($0) }
        for key in to[keyPath: list] where !from[keyPath: list].contains(key) {
            if !day[keyPath: list].contains(key) { day[keyPath: list].append(key) }
        }
    }
    give(\.did)
    give(\.considered)
    for key in Set(from.didApplied.keys).union(to.didApplied.keys)
    where from.didApplied[key] != to.didApplied[key] {
        day.didApplied[key] = day.did.contains(key) ? to.didApplied[key] : nil
    }
    return .text(day.json)
}
