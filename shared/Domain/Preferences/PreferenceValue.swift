/// A value of a preference, in the shapes that JSON has.
public enum PreferenceValue: Hashable, Sendable {
    case null
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([PreferenceValue])
    case object([String: PreferenceValue])

    public var text: String? { if case .text(let value) = self { value } else { nil } }
    public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    public var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
    public var list: [PreferenceValue]? { if case .list(let value) = self { value } else { nil } }

    /// A member of an object; nil when it has none of that name.
    public subscript(key: String) -> PreferenceValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }
}
