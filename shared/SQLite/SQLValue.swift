/// What can be bound to a parameter.
public enum SQLValue: Hashable, Sendable {
    case null
    case int(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    public init(_ value: Int?) { self = value.map { .int(Int64($0)) } ?? .null }
    public init(_ value: Int64?) { self = value.map(SQLValue.int) ?? .null }
    public init(_ value: String?) { self = value.map(SQLValue.text) ?? .null }
    public init(_ value: Bool) { self = .int(value ? 1 : 0) }
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    public init(integerLiteral value: Int64) { self = .int(value) }
    public init(stringLiteral value: String) { self = .text(value) }
    public init(nilLiteral: ()) { self = .null }
}
