import JSON
import Time

/// The members of a JSON body, read with their exact types (api 1.7, 2.11). Unknown keys are ignored; a member of the
/// wrong type is refused by name; absent and null are told apart where it matters.
struct Fields: Sendable {
    let members: [String: JSONValue]
    private let path: String

    init(_ members: [String: JSONValue], path: String = "") {
        self.members = members
        self.path = path
    }

    /// - Parameter required: a body that is missing is refused; otherwise it reads as `{}`.
    init(body: [UInt8], required: Bool) throws(Failure) {
        let isBlank = body.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        if isBlank, !required {
            self.init([:])
            return
        }
        guard let value = try? JSONValue(parsing: body) else {  // the syntax error says no more than this
            throw .invalid("The body is not valid JSON", ["": "not valid JSON"])
        }
        guard case .object(let members) = value else {
            throw .invalid("The body must be a JSON object", ["": "not an object"])
        }
        self.init(members)
    }

    func has(_ key: String) -> Bool { members[key] != nil }

    func isNull(_ key: String) -> Bool { members[key] == .null }

    func refuse(_ key: String, _ text: String) -> Failure {
        .invalid(field: path + key, text)
    }

    // Required values

    func string(_ key: String) throws(Failure) -> String {
        guard let value = try optionalString(key) else { throw refuse(key, "is required") }
        return value
    }

    func int(_ key: String, in range: ClosedRange<Int>) throws(Failure) -> Int {
        guard let value = try optionalInt(key, in: range) else { throw refuse(key, "is required") }
        return value
    }

    // Absent and null are the same

    func optionalString(_ key: String) throws(Failure) -> String? {
        switch members[key] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw refuse(key, "must be a string")
        }
    }

    func optionalInt(_ key: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        switch members[key] {
        case nil, .null: return nil
        case .int(let value) where range.contains(Int(value)): return Int(value)
        case .double(let value)
        where value == value.rounded() && abs(value) < 1e15 && range.contains(Int(value)):
            return Int(value)
        case .int, .double:
            throw refuse(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        default: throw refuse(key, "must be a number")
        }
    }

    func optionalBool(_ key: String) throws(Failure) -> Bool? {
        switch members[key] {
        case nil, .null: return nil
        case .bool(let value): return value
        default: throw refuse(key, "must be true or false")
        }
    }

    /// ISO 8601; without an offset it is local in `zone` (api 1.5).
    func optionalInstant(_ key: String, zone: Zone) throws(Failure) -> Instant? {
        guard let text = try optionalString(key) else { return nil }
        guard let instant = Instant(iso8601: text, zone: zone) else {
            throw refuse(key, "must be a date and time like 2026-10-14T15:00:00Z")
        }
        try checkYear(zone.date(instant).year, of: key)
        return instant
    }

    /// As enrichment's (enrich 1.3): beyond it a typing error is likelier than a plan.
    func checkYear(_ year: Int, of key: String) throws(Failure) {
        guard (1900...2200).contains(year) else {
            throw refuse(key, "must lie between the years 1900 and 2200")
        }
    }

    func optionalStrings(_ key: String) throws(Failure) -> [String]? {
        switch members[key] {
        case nil, .null: return nil
        case .array(let values):
            var strings: [String] = []
            for (index, value) in values.enumerated() {
                guard case .string(let text) = value else {
                    throw refuse("\(key).\(index)", "must be a string")
                }
                strings.append(text)
            }
            return strings
        default: throw refuse(key, "must be a list of strings")
        }
    }

    /// Ids: whole numbers above 0, at most `limit`.
    func optionalIDs(_ key: String, limit: Int) throws(Failure) -> [Int64]? {
        switch members[key] {
        case nil, .null: return nil
        case .array(let values):
            guard values.count <= limit else { throw refuse(key, "has at most \(limit) ids") }
            var ids: [Int64] = []
            for (index, value) in values.enumerated() {
                guard case .int(let id) = value, id > 0 else {
                    throw refuse("\(key).\(index)", "must be an id")
                }
                ids.append(id)
            }
            return ids
        default: throw refuse(key, "must be a list of ids")
        }
    }

    func optionalObject(_ key: String) throws(Failure) -> Fields? {
        switch members[key] {
        case nil, .null: return nil
        case .object(let members): return Fields(members, path: "\(path)\(key).")
        default: throw refuse(key, "must be an object")
        }
    }

    func optionalObjects(_ key: String) throws(Failure) -> [Fields]? {
        switch members[key] {
        case nil, .null: return nil
        case .array(let values):
            var objects: [Fields] = []
            for (index, value) in values.enumerated() {
                guard case .object(let members) = value else {
                    throw refuse("\(key).\(index)", "must be an object")
                }
                objects.append(Fields(members, path: "\(path)\(key).\(index)."))
            }
            return objects
        default: throw refuse(key, "must be a list of objects")
        }
    }

    /// nil: absent; `.some(nil)`: null; else what `read` made of it.
    func present<Value>(
        _ key: String, _ read: (String) throws(Failure) -> Value?
    ) throws(Failure) -> Value?? {
        guard has(key) else { return nil }
        return .some(try read(key))
    }

    /// For a member that cannot be null: nil when absent, refused when null.
    func given<Value>(_ key: String, _ read: (String) throws(Failure) -> Value?) throws(Failure) -> Value? {
        guard has(key) else { return nil }
        guard let value = try read(key) else { throw refuse(key, "cannot be null") }
        return value
    }
}
