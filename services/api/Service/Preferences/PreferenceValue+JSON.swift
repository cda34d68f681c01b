import Domain
import JSON

extension PreferenceValue {
    init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .flag(value)
        case .int(let value): self = .integer(Int(value))
        case .double(let value): self = .number(value)
        case .string(let value): self = .text(value)
        case .array(let values): self = .list(values.map(PreferenceValue.init))
        case .object(let members): self = .object(members.mapValues(PreferenceValue.init))
        }
    }

    var json: JSONValue {
        switch self {
        case .null: .null
        case .flag(let value): .bool(value)
        case .integer(let value): .int(Int64(value))
        case .number(let value): .double(value)
        case .text(let value): .string(value)
        case .list(let values): .array(values.map(\.json))
        case .object(let members): .object(members.mapValues(\.json))
        }
    }
}
