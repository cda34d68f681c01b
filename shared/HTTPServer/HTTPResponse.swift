/// An answer.
///
/// `Date`, `Content-Length`, `Transfer-Encoding` and `Connection` are the server's; given ones are left out.
/// A request by HEAD gets the same head and no body.
public struct HTTPResponse: Sendable {
    /// 200...599.
    public var status: Int
    /// In the order in which they are sent; a name may be there more than once.
    public var headers: [(name: String, value: String)]
    public var body: Body

    public enum Body: Sendable {
        case bytes([UInt8])
        /// A regular file, sent as long as it is when it is opened; a missing one becomes
        /// `HTTPRefusal.missingFile`.
        case file(path: String)
        /// Whatever is sent into the stream until it is closed. A stream serves one answer.
        case stream(HTTPStream)
        /// What is made while it goes out, as fast as the reader takes it. Serves one answer.
        case pieces(HTTPPieces)
        case empty
    }

    public init(status: Int, headers: [(name: String, value: String)] = [], body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
