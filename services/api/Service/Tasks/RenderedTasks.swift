import ApiStore
import Domain
import Synchronization
import Time

/// The JSON of tasks as lists show them, kept for the next list: reading a row and writing its 50 members costs far more
/// than copying the bytes, and of two lists in a row nearly all tasks are the same.
///
/// What an item's JSON says depends on its row and on the owner's zone, and on nothing else (R-15 counts from the target,
/// not from now). A version names one committed state, so nothing here is ever out of date: only snapshots may put
/// something in, because a version that is rolled back comes again with other content.
final class RenderedTasks: Sendable {
    private struct Entry {
        let version: Int
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
    func known(_ items: [(stamp: TaskStamp, zone: Zone)]) -> [[UInt8]?] {
        state.withLock { state in
            items.map { stamp, zone in
                guard let entry = state.entries[stamp.id], entry.version == stamp.version, entry.zone == zone
                else {
                    return nil
                }
                return entry.json
            }
        }
    }

    /// Takes in what was written from a snapshot.
    func keep(_ json: [UInt8], of stamp: TaskStamp, zone: Zone) {
        state.withLock { state in
            if state.byteCount + json.count > byteLimit {
                // All at once: a household's lists fit in, so this is for the odd case and may be crude.
                state = State()
            }
            let former = state.entries.updateValue(
                Entry(version: stamp.version, zone: zone, json: json), forKey: stamp.id)
            state.byteCount += json.count - (former?.json.count ?? 0)
        }
    }
}
