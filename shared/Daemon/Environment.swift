import FoundationEssentials

/// Settings from environment variables and from the credentials of the service manager.
///
/// A variable that is set to nothing counts as not set.
public struct Environment: Sendable {
    private let values: [String: String]

    /// The variables of this process.
    public init() {
        self.init(ProcessInfo.processInfo.environment)
    }

    public init(_ values: [String: String]) {
        self.values = values.filter { !$0.value.isEmpty }
    }

    /// The variable as it is; nil when not set.
    public subscript(name: String) -> String? { values[name] }

    /// The variable as it is.
    public func string(_ name: String, default standard: String) -> String {
        values[name] ?? standard
    }

    /// A whole number within `range`.
    public func integer(
        _ name: String, in range: ClosedRange<Int>, default standard: Int
    ) throws(ConfigurationError) -> Int {
        guard let text = values[name] else { return standard }
        guard let value = Int(text), range.contains(value) else {
            throw ConfigurationError(
                "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), and is \"\(text)\""
            )
        }
        return value
    }

    /// `true`, `1`, `yes`, `on` or `false`, `0`, `no`, `off`, in any case.
    public func flag(_ name: String, default standard: Bool) throws(ConfigurationError) -> Bool {
        guard let text = values[name] else { return standard }
        switch text.lowercased() {
        case "true", "1", "yes", "on": return true
        case "false", "0", "no", "off": return false
        default: throw ConfigurationError("\(name) must be true or false, and is \"\(text)\"")
        }
    }

    /// A secret: the variable of this name, else the file of this name in `CREDENTIALS_DIRECTORY` (LoadCredential= of
    /// systemd.exec(5)) without white space at its ends. Nil when there is neither, or an empty file.
    public func credential(_ name: String) throws(ConfigurationError) -> String? {
        if let value = values[name] { return value }
        guard let path = credentialPath(name) else { return nil }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ConfigurationError("the credential \(name) cannot be read as UTF-8 text: \(path)")
        }
        let trimmed = text.trimming(while: \.isWhitespace)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Where the service manager put the credential of this name; nil when it did not.
    public func credentialPath(_ name: String) -> String? {
        guard let directory = values["CREDENTIALS_DIRECTORY"] else { return nil }
        let path = "\(directory)/\(name)"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }
}

/// A setting that a person has to change before the service can start: exit status 78.
public struct ConfigurationError: Error, Hashable, CustomStringConvertible {
    /// Which setting, what is wrong with it, what it should be. Never the value of a secret.
    public let message: String

    public init(_ message: String) {
        self.message = message
    }

    public var description: String { message }
}

extension String {
    fileprivate func trimming(while matches: (Character) -> Bool) -> String {
        guard let first = firstIndex(where: { !matches($0) }), let last = lastIndex(where: { !matches($0) })
        else {
            return ""
        }
        return String(self[first...last])
    }
}
