import JSON

/// A reply as it is on the wire: `{"parameters": {…}, "continues": …}` or `{"error": …, "parameters": {…}}`.
struct ReplyMessage {
    /// The text of an object.
    var parameters: ArraySlice<UInt8> = CallMessage.noParameters
    var continues = false
    var error: String?

    init(parameters: [UInt8], continues: Bool = false) {
        self.parameters = parameters[...]
        self.continues = continues
    }

    init(_ error: VarlinkError) throws {
        self.error = error.name
        parameters = try JSONCoding.encode(error.parameters)[...]
    }

    /// Parses a message, without its NUL, nested at most `depth` levels deep. Unknown members are passed over.
    init(parsing message: [UInt8], depth: Int) throws(VarlinkTransportError) {
        var parameters: ArraySlice<UInt8>?
        var continues: ArraySlice<UInt8>?
        var error: ArraySlice<UInt8>?
        do throws(JSONScanner.Failure) {
            var scanner = try JSONScanner(message, depth: depth)
            try scanner.document { name, range in
                switch name {
                case "parameters": parameters = message[range]
                case "continues": continues = message[range]
                case "error": error = message[range]
                default: break
                }
            }
        } catch {
            throw VarlinkTransportError(.protocol, "a reply that is no JSON object")
        }
        if let parameters, !JSONText.isNull(parameters) {
            guard JSONText.isObject(parameters) else { throw ReplyMessage.malformed("parameters") }
            self.parameters = parameters
        }
        if let continues, !JSONText.isNull(continues) {
            guard let value = JSONText.bool(continues) else { throw ReplyMessage.malformed("continues") }
            self.continues = value
        }
        if let error, !JSONText.isNull(error) {
            guard let name = JSONText.string(error) else { throw ReplyMessage.malformed("error") }
            self.error = name
        }
    }

    private static func malformed(_ member: String) -> VarlinkTransportError {
        VarlinkTransportError(.protocol, "a reply with a malformed \(member)")
    }

    /// The message with its NUL.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parameters.count + 64)
        bytes.append(UInt8(ascii: "{"))
        if let error {
            bytes.append(contentsOf: "\"error\":".utf8)
            bytes.append(contentsOf: JSONText.literal(error))
            bytes.append(UInt8(ascii: ","))
        }
        bytes.append(contentsOf: "\"parameters\":".utf8)
        bytes.append(contentsOf: parameters)
        if continues { bytes.append(contentsOf: ",\"continues\":true".utf8) }
        bytes.append(contentsOf: "}\0".utf8)
        return bytes
    }

    /// Nothing but the end of a stream.
    var isEmpty: Bool { parameters.allSatisfy { [0x7B, 0x7D, 0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}
