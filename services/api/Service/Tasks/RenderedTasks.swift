import ApiStore
import Domain
import Synchronization
import Time

/// The JSON of tasks as lists show them, kept for the next list: reading a row and writing its 50 members costs far more
/// than copying the bytes, and of two lists in a row nearly all tasks are the same.
///
/// What an item's JSON says depends on its row, on the owner's zone, and for a quota on whether its period has ended,
/// and on nothing else (R-15 counts from the target, not from now). A version names one committed state, so nothing here is ever out of date: only snapshots may put
/// something in, because a version that is rolled back comes again with other content.
final class RenderedTasks: Sendable {
    /// An item in one state, shown in its owner's zone.
    struct Item {
        let stamp: TaskStamp
        let zone: Zone
    }

    private struct Entry {
        let version: Int
        let periodHasEnded: Bool
        let zone: Zone
        let json: [UInt8]
    }

    private struct State {
        var entries: [TaskItem.ID: Entry] = [:]
        var byteCount = 0
    }

    private let state = Mutex(State())
    private let byteLimit: Int

    /// - Parameter byteLimit: of JSON; a task has some 1,300 bytes.
    init(byteLimit: Int = 4 << 20) { self.byteLimit = byteLimit }

    /// The JSON of each item; nil for those that are not known in this version and zone.
    func known(_ items: [Item]) -> [[UInt8]?] {
        // Looked up in a copy, so that threads do not wait for each other.
        let entries = state.withLock { $0.entries }
        return items.map { item in
            guard let entry = entries[item.stamp.id], entry.version == item.stamp.version,
                entry.periodHasEnded == item.stamp.periodHasEnded, entry.zone == item.zone
            else { return nil }
            return entry.json
        }
    }

    /// Takes in what was written from a snapshot.
    func keep(_ written: [(item: Item, json: [UInt8])]) {
        guard !written.isEmpty else { return }
        state.withLock { state in
            for (item, json) in written {
                // All at once: a household's lists fit in, so this is for the odd case and may be crude.
                if state.byteCount + json.count > byteLimit { state = State() }
                let former = state.entries.updateValue(
                    Entry(
                        version: item.stamp.version, periodHasEnded: item.stamp.periodHasEnded,
                        zone: item.zone, json: json), forKey: item.stamp.id)
                state.byteCount += json.count - (former?.json.count ?? 0)
            }
        }
    }
}
