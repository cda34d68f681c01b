import ApiStore
import Domain
import JSON

// `quota_prompt_config` (api 2.7): strict, every key optional.

extension Fields {
    /// The config's JSON text, as the store keeps it.
    func optionalPromptConfig(_ key: String) throws(Failure) -> String? {
        guard let config = try optionalObject(key) else { return nil }
        for (name, value) in config.members {
            switch (name, value) {
            case ("enabled", .bool), ("slot_id", .null), ("slot_id", .int): continue
            case ("enabled", _): throw config.refuse(name, "must be true or false")
            case ("slot_id", _): throw config.refuse(name, "must be the id of a period or null")
            case ("numbers", .object(let numbers)):
                for (number, slot) in numbers {
                    guard let parsed = Int(number), (1...999).contains(parsed), String(parsed) == number
                    else { throw config.refuse("numbers.\(number)", "is not a number from 1 to 999") }
                    guard slot == .null || slot.int != nil else {
                        throw config.refuse("numbers.\(number)", "must be the id of a period or null")
                    }
                }
            case ("numbers", _): throw config.refuse(name, "must map numbers to periods")
            default: throw config.refuse(name, "is not known here")
            }
        }
        var writer = JSONWriter(capacity: 128)
        writer.value(.object(config.members))
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Transaction {
    /// T7: periods that the stored config does not name must be the owner's.
    func checkPromptPeriods(_ config: String?, stored: String?, owner: UserID) throws {
        let new = Self.periodIDs(config).subtracting(Self.periodIDs(stored))
        guard !new.isEmpty else { return }
        let own = Set(try periods(of: owner).map(\.id.rawValue))
        guard new.isSubset(of: own) else {
            throw Failure.invalid(field: "quota_prompt_config", "names a period that the owner does not have")
        }
    }

    private static func periodIDs(_ config: String?) -> Set<Int64> {
        // try? : what is stored was checked when it was written
        guard let config, let value = try? JSONValue(parsing: Array(config.utf8)) else { return [] }
        let numbers = value["numbers"]?.object?.values.compactMap(\.int) ?? []
        return Set(numbers + [value["slot_id"]?.int].compactMap { $0 })
    }
}
