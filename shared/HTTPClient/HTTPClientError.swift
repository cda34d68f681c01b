import CCurl

/// Why there is no answer.
public struct HTTPClientError: Error, Hashable, CustomStringConvertible {
    public enum Reason: String, Hashable, Sendable {
        /// The URL is none, has another scheme, or a header holds a line break: nothing was sent.
        case invalidRequest
        /// No address of the host may be dialled: nothing was sent.
        case addressRefused
        /// The name has no address (now).
        case unresolved
        /// Nobody listens, or no route.
        case unreachable
        /// No TLS connection: certificate, name or version.
        case insecure
        case timedOut
        /// The reply is longer than the request allows.
        case tooLarge
        /// The connection broke after the request had begun: it may or may not have been carried out.
        case broken
        /// The sender was stopped, or the task was cancelled, before the answer came.
        case stopped
    }

    public var reason: Reason
    /// libcurl's code (https://curl.se/libcurl/c/libcurl-errors.html); 0 when libcurl was not involved.
    public var code: UInt32

    public init(_ reason: Reason, code: UInt32 = 0) {
        self.reason = reason
        self.code = code
    }

    /// Reason and libcurl's words; nothing of the request.
    public var description: String {
        code == 0
            ? reason.rawValue : "\(reason.rawValue): \(String(cString: curl_easy_strerror(CURLcode(code))))"
    }

    init(_ code: CURLcode) {
        self.code = code.rawValue
        reason =
            switch code {
            case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_FUNCTION_ARGUMENT: .invalidRequest
            case CURLE_COULDNT_RESOLVE_HOST: .unresolved
            case CURLE_COULDNT_CONNECT: .unreachable
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE,
                CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER:
                .insecure
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_WRITE_ERROR, CURLE_FILESIZE_EXCEEDED: .tooLarge
            default: .broken
            }
    }
}
