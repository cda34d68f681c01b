/// One request. The body goes with any method but GET and HEAD.
public struct HTTPClientRequest: Sendable {
    /// GET, POST, PUT, PATCH, DELETE or HEAD.
    public var method: String
    /// `https://…` or `http://…`.
    public var url: String
    /// In this order; names as they go over HTTP/1.1 (HTTP/2 writes them in lower case).
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// From the start of the request to the last byte of the reply; at least 1 ms.
    public var timeout: Duration
    /// Longest body of a reply that is taken.
    public var maximumReplyCount: Int
    /// False: the body of the reply is read to its end and thrown away, however long it is.
    public var keepsBody: Bool

    public init(
        method: String = "GET", url: String, headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        timeout: Duration = .seconds(30), maximumReplyCount: Int = 1 << 20, keepsBody: Bool = true
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumReplyCount = maximumReplyCount
        self.keepsBody = keepsBody
    }
}

/// What the server answered, whatever its status. Redirects (3xx) are answers too: nobody follows them.
public struct HTTPClientReply: Sendable {
    public var status: Int
    /// Names in lower case, in the order received.
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// Over HTTP/2 (RFC 9113).
    public var isHTTP2: Bool

    public init(
        status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], isHTTP2: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isHTTP2 = isHTTP2
    }

    /// The first header of this name, any case.
    public func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name == name }?.value
    }
}
