/// Why the server does not pass a request on, or cannot give the answer that it was handed.
///
/// What libmicrohttpd refuses by itself never gets here and has its own short HTML text: a head that is not HTTP
/// or lacks `Host` (400), a head over `HTTPLimits.headBytes` (413, 414 or 431), an HTTP version other than 1.x (505).
public enum HTTPRefusal: Error, Sendable, Equatable {
    /// The body is, or grew, larger than `HTTPHandler.bodyLimit` (bytes). 413, and the connection is closed.
    case bodyTooLarge(limit: Int)
    /// The request target is not one: bad percent-encoding, not UTF-8, or a NUL in it. 400.
    case malformed(String)
    /// The file of the answer cannot be opened or is none. 404.
    case missingFile(path: String)
    /// The answer has a header that must not be sent: a line break in it, or no name. 500.
    case unsendableHeader(name: String)

    /// The status code that says this (RFC 9110 section 15).
    public var status: Int {
        switch self {
        case .bodyTooLarge: 413
        case .malformed: 400
        case .missingFile: 404
        case .unsendableHeader: 500
        }
    }
}
