/// A call as it is on the wire: `{"method": …, "parameters": {…}, "more": …, "oneway": …, "upgrade": …}`.
///
/// Members that are not known are passed over, members that are null count as absent, and of two members with the
/// same name the last one counts.
struct CallMessage {
    enum Failure: Error, Hashable {
        /// No JSON object: whoever sent it does not speak Varlink.
        case malformed
        /// This member is missing or of a wrong type.
        case member(String)
    }

    var method = ""
    /// The text of an object.
    var parameters: ArraySlice<UInt8> = CallMessage.noParameters
    var more = false
    var oneway = false
    var upgrade = false

    static let noParameters = Array("{}".utf8)[...]

    init(method: String, parameters: [UInt8], more: Bool = false, oneway: Bool = false) {
        self.method = method
        self.parameters = parameters[...]
        self.more = more
        self.oneway = oneway
    }

    /// Parses a message, without its NUL, nested at most `depth` levels deep.
    init(parsing message: [UInt8], depth: Int) throws(Failure) {
        var method: ArraySlice<UInt8>?
        var parameters: ArraySlice<UInt8>?
        var flags: [(name: String, value: ArraySlice<UInt8>)] = []
        do throws(JSONScanner.Failure) {
            var scanner = try JSONScanner(message, depth: depth)
            try scanner.document { name, range in
                switch name {
                case "method": method = message[range]
                case "parameters": parameters = message[range]
                case "more", "oneway", "upgrade":
                    flags.removeAll { $0.name == name }
                    flags.append((name, message[range]))
                default: break
                }
            }
        } catch {
            throw error == .tooDeep ? .member("parameters") : .malformed
        }
        for (name, text) in flags where !JSONText.isNull(text) {
            guard let value = JSONText.bool(text) else { throw .member(name) }
            switch name {
            case "more": more = value
            case "oneway": oneway = value
            default: upgrade = value
            }
        }
        guard let method, let name = JSONText.string(method) else { throw .member("method") }
        self.method = name
        if let parameters, !JSONText.isNull(parameters) {
            guard JSONText.isObject(parameters) else { throw .member("parameters") }
            self.parameters = parameters
        }
    }

    /// The message with its NUL.
    var bytes: [UInt8] {
        var bytes = Array("{\"method\":".utf8)
        bytes.append(contentsOf: JSONText.literal(method))
        bytes.append(contentsOf: ",\"parameters\":".utf8)
        bytes.append(contentsOf: parameters)
        if more { bytes.append(contentsOf: ",\"more\":true".utf8) }
        if oneway { bytes.append(contentsOf: ",\"oneway\":true".utf8) }
        bytes.append(contentsOf: "}\0".utf8)
        return bytes
    }
}
