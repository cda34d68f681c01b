import JSON

/// What a service answers: its interfaces and a handler for each method.
public struct VarlinkRouter: Sendable {
    enum Handler: Sendable {
        /// Gets the text of the parameters, gives the text of the reply.
        case reply(@Sendable (ArraySlice<UInt8>, VarlinkCall) throws -> [UInt8])
        case stream(@Sendable (ArraySlice<UInt8>, VarlinkCall, ReplyChannel) throws -> Void)
    }

    private let vendor: String
    private let product: String
    private let version: String
    private let url: String
    /// Served by introspection, in the order added; without `org.varlink.service`, which is always there.
    public private(set) var interfaces: [VarlinkInterface] = []
    private var handlers: [String: Handler] = [:]

    public init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }

    /// Serves the text of `interface` by introspection. Its methods are answered with MethodNotImplemented until they
    /// have handlers.
    public mutating func add(_ interface: VarlinkInterface) {
        precondition(!interfaces.contains { $0.name == interface.name }, "interface added twice")
        interfaces.append(interface)
    }

    /// Answers `method` with what `body` returns.
    ///
    /// `body` runs on the connection's thread and may block. A `VarlinkError` that it throws is the answer; any other
    /// error is answered with `InternalError` and goes to the server's `onFailure`. Parameters that do not decode are
    /// answered with `InvalidParameter` before `body` is called.
    public mutating func handle<M: VarlinkMethod>(
        _ method: M.Type, _ body: @escaping @Sendable (M.Parameters, VarlinkCall) throws -> M.Reply
    ) {
        register(M.name, .reply { text, call in try JSONCoding.encode(try body(try decode(text), call)) })
    }

    /// Answers `method` with as many replies as `body` sends; the stream ends when it returns.
    ///
    /// A caller that did not say `more` gets `ExpectedMore`. Errors are as for `handle`; one thrown after replies were
    /// sent ends the stream with that error.
    public mutating func stream<M: VarlinkMethod>(
        _ method: M.Type,
        _ body: @escaping @Sendable (M.Parameters, VarlinkCall, VarlinkReplies<M.Reply>) throws -> Void
    ) {
        register(
            M.name,
            .stream { text, call, channel in
                try body(try decode(text), call, VarlinkReplies(channel: channel))
            })
    }

    private mutating func register(_ name: String, _ handler: Handler) {
        precondition(handlers.updateValue(handler, forKey: name) == nil, "method handled twice")
    }

    /// Full names of the methods that have handlers.
    public var handled: Set<String> { Set(handlers.keys) }

    /// Full names of the methods that the added interfaces describe. A service is whole when this equals `handled`.
    public var described: Set<String> {
        Set(interfaces.flatMap { interface in interface.methods.map { "\(interface.name).\($0.name)" } })
    }

    /// - Throws: `VarlinkError` when there is none.
    func handler(for method: String) throws(VarlinkError) -> Handler {
        if let handler = handlers[method] { return handler }
        guard let dot = method.utf8.lastIndex(of: UInt8(ascii: ".")) else {
            throw .invalidParameter("method")
        }
        let interface = String(method[..<dot])
        if interface == VarlinkService.interfaceName { return try introspection(method) }
        if let found = interfaces.first(where: { $0.name == interface }) {
            let name = method[method.utf8.index(after: dot)...]
            throw found.methods.contains { $0.name == name }
                ? .methodNotImplemented(method) : .methodNotFound(method)
        }
        let prefix = interface + "."
        throw handlers.keys.contains { $0.hasPrefix(prefix) }
            ? .methodNotFound(method) : .interfaceNotFound(interface)
    }

    private func introspection(_ method: String) throws(VarlinkError) -> Handler {
        switch method {
        case VarlinkService.GetInfo.name:
            let info = VarlinkService.GetInfo.Reply(
                vendor: vendor, product: product, version: version, url: url,
                interfaces: [VarlinkService.interfaceName] + interfaces.map(\.name))
            return .reply { _, _ in try JSONCoding.encode(info) }
        case VarlinkService.GetInterfaceDescription.name:
            return .reply { [interfaces] text, _ in
                let wanted: VarlinkService.GetInterfaceDescription.Parameters = try decode(text)
                let description =
                    wanted.interface == VarlinkService.interfaceName
                    ? VarlinkService.text : interfaces.first { $0.name == wanted.interface }?.text
                guard let description else { throw VarlinkError.interfaceNotFound(wanted.interface) }
                return try JSONCoding.encode(
                    VarlinkService.GetInterfaceDescription.Reply(description: description))
            }
        default: throw .methodNotFound(method)
        }
    }
}

/// Parameters that do not have the method's type.
struct UnreadableParameters: Error {
    /// Where; nil when the decoder does not tell.
    let path: String?
}

/// The parameters as the method's type.
///
/// - Throws: `UnreadableParameters`, or what else the type's own `init(from:)` throws.
private func decode<Parameters: Decodable>(_ text: ArraySlice<UInt8>) throws -> Parameters {
    do {
        return try JSONCoding.decode(Parameters.self, from: text)
    } catch let error as DecodingError {
        throw UnreadableParameters(path: error.path)
    }
}

extension DecodingError {
    /// Where the value is that does not fit: `context.projects[3].name`; nil at the top.
    fileprivate var path: String? {
        let keys: [any CodingKey] =
            switch self {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                context.codingPath
            @unknown default: []
            }
        var path = ""
        for key in keys {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return path.isEmpty ? nil : path
    }
}
