public import JSON

/// Whether JSON values have the types that an interface declares. Members that are not declared are passed over.
extension VarlinkInterface {
    /// The path of the first of `parameters` that `method` (`Due`, not the full name) does not take; nil when all fit.
    public func mismatch(parameters: JSONValue, of method: String) -> String? {
        guard let method = methods.first(where: { $0.name == method }) else { return "method" }
        return mismatch(parameters, with: .structure(method.parameters), at: "")
    }

    /// The path of what `method` would not reply; nil when all fits.
    public func mismatch(reply: JSONValue, of method: String) -> String? {
        guard let method = methods.first(where: { $0.name == method }) else { return "method" }
        return mismatch(reply, with: .structure(method.reply), at: "")
    }

    /// The path of what does not fit in the parameters of an error of this interface; nil when all fits.
    public func mismatch(error: VarlinkError) -> String? {
        guard let declared = errors.first(where: { "\(name).\($0.name)" == error.name }) else {
            return "error"
        }
        return mismatch(error.parameters, with: .structure(declared.parameters), at: "")
    }

    /// Recursion ends with the value: types that contain themselves are no deeper than it.
    private func mismatch(_ value: JSONValue, with type: VarlinkType, at path: String) -> String? {
        switch (type, value) {
        case (.bool, .bool), (.int, .int), (.float, .int), (.float, .double), (.string, .string),
            (.object, .object),
            (.optional, .null):
            return nil
        case (.optional(let type), _):
            return mismatch(value, with: type, at: path)
        case (.named(let name), _):
            guard let declared = types.first(where: { $0.name == name }) else { return path }
            return mismatch(value, with: declared.type, at: path)
        case (.enumeration(let words), .string(let word)):
            return words.contains(word) ? nil : path
        case (.array(let type), .array(let values)):
            for (index, value) in values.enumerated() {
                if let path = mismatch(value, with: type, at: "\(path)[\(index)]") { return path }
            }
            return nil
        case (.dictionary(let type), .object(let members)):
            for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                if let path = mismatch(value, with: type, at: join(path, key)) { return path }
            }
            return nil
        case (.structure(let fields), .object(let members)):
            for field in fields {
                if let path = mismatch(
                    members[field.name] ?? .null, with: field.type, at: join(path, field.name))
                {
                    return path
                }
            }
            return nil
        default:
            return path
        }
    }

    private func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
