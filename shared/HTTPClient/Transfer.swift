import CCurl
import Glibc
import Synchronization

/// One request on its way, and what has come back of it.
///
/// Unchecked: `onFinish` is called before the transfer is handed to the loop's thread, `isCancelled` is atomic, and
/// everything else is touched by that thread alone.
final class Transfer: @unchecked Sendable {
    let request: HTTPClientRequest
    /// Set by whoever waits for the answer, at any time, even before the loop has the transfer.
    let isCancelled = Atomic(false)
    private var finished: (@Sendable (HTTPSender.Outcome) -> Void)?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var headers: [(name: String, value: String)] = []
    private var headerCount = 0
    private var body: [UInt8] = []
    private var isTooLarge = false
    private var wasRefused = false
    private var mayDial: (@Sendable ([UInt8]) -> Bool)?

    /// All headers of a reply together; more is an attack.
    private static let maximumHeaderCount = 64 << 10

    init(_ request: HTTPClientRequest) {
        self.request = request
    }

    func onFinish(_ finished: @escaping @Sendable (HTTPSender.Outcome) -> Void) {
        self.finished = finished
    }

    func finish(_ outcome: HTTPSender.Outcome) {
        curl_slist_free_all(headerList)
        headerList = nil
        finished?(outcome)
        finished = nil
    }

    /// Fits out a fresh or reset handle.
    ///
    /// - Returns: why not.
    func prepare(_ easy: UnsafeMutableRawPointer, _ settings: HTTPSender.Settings) -> HTTPClientError? {
        guard request.url.hasPrefix("https://") || request.url.hasPrefix("http://"),
            !request.url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
        else { return HTTPClientError(.invalidRequest) }
        for (name, value) in request.headers + [(name: "Expect", value: "")] {
            let line = value.isEmpty ? "\(name):" : "\(name): \(value)"
            guard !line.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
                return HTTPClientError(.invalidRequest)
            }
            headerList = curl_slist_append(headerList, line)
        }
        mayDial = settings.mayDial

        var milliseconds = Int(request.timeout / .milliseconds(1))
        milliseconds = max(milliseconds, 1)
        opentask_curl_set_text(easy, CURLOPT_URL, request.url)
        opentask_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        opentask_curl_set_text(easy, CURLOPT_PROXY, "")
        opentask_curl_set_text(easy, CURLOPT_USERAGENT, settings.userAgent)
        opentask_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headerList)
        opentask_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        opentask_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        opentask_curl_set_long(easy, CURLOPT_TIMEOUT_MS, milliseconds)
        opentask_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, min(milliseconds, 15_000))
        opentask_curl_set_long(easy, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        opentask_curl_set_long(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // Wait for a connection that is being made, rather than make a second one beside it.
        opentask_curl_set_long(easy, CURLOPT_PIPEWAIT, 1)
        // Connections are kept for an hour instead of two minutes, and probed by the kernel meanwhile.
        opentask_curl_set_long(easy, CURLOPT_MAXAGE_CONN, 3600)
        opentask_curl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
        opentask_curl_set_long(easy, CURLOPT_TCP_KEEPIDLE, 60)
        opentask_curl_set_long(easy, CURLOPT_TCP_KEEPINTVL, 30)
        if let path = settings.authoritiesPath {
            opentask_curl_set_text(easy, CURLOPT_CAINFO, path)
            opentask_curl_set_text(easy, CURLOPT_CAPATH, nil)
        }
        switch request.method {
        case "GET": opentask_curl_set_long(easy, CURLOPT_HTTPGET, 1)
        case "HEAD": opentask_curl_set_long(easy, CURLOPT_NOBODY, 1)
        case "POST", "PUT", "PATCH", "DELETE":
            opentask_curl_set_body(easy, request.body, request.body.count)
            opentask_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method)
        default: return HTTPClientError(.invalidRequest)
        }
        opentask_curl_set_callbacks(
            easy, Transfer.takeBody, Transfer.takeHeader, Transfer.openSocket,
            Unmanaged.passUnretained(self).toOpaque()
        )
        return nil
    }

    /// What the ended transfer is to its caller.
    func outcome(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) -> HTTPSender.Outcome {
        if wasRefused, code == CURLE_COULDNT_CONNECT {
            return .failure(HTTPClientError(.addressRefused))
        }
        guard code == CURLE_OK else {
            // A callback's refusal ends a transfer with a write error; so does nothing else here.
            return .failure(isTooLarge ? HTTPClientError(.tooLarge) : HTTPClientError(code))
        }
        return .success(
            HTTPClientReply(
                status: opentask_curl_get_long(easy, CURLINFO_RESPONSE_CODE), headers: headers, body: body,
                isHTTP2: opentask_curl_get_long(easy, CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_2_0))
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        // The loop keeps the transfer until its handle has been taken out of libcurl.
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let takeBody: opentask_curl_data = { bytes, size, count, context in
        guard let transfer = from(context), let bytes else { return 0 }
        let count = size * count
        guard transfer.request.keepsBody else { return count }
        guard transfer.body.count + count <= transfer.request.maximumReplyCount else {
            transfer.isTooLarge = true
            return 0
        }
        transfer.body += UnsafeRawBufferPointer(start: bytes, count: count)
        return count
    }

    private static let takeHeader: opentask_curl_data = { bytes, size, count, context in
        guard let transfer = from(context), let bytes else { return 0 }
        let count = size * count
        transfer.headerCount += count
        guard transfer.headerCount <= maximumHeaderCount else {
            transfer.isTooLarge = true
            return 0
        }
        transfer.takeHeaderLine(UnsafeRawBufferPointer(start: bytes, count: count))
        return count
    }

    private func takeHeaderLine(_ line: UnsafeRawBufferPointer) {
        if line.starts(with: "HTTP/".utf8) {  // a status line: what came before was an interim answer (1xx)
            headers = []
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let isBlank = { (byte: UInt8) in byte <= 0x20 }
        let value = line[(colon + 1)...].drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        headers.append(
            (
                String(decoding: line[..<colon], as: UTF8.self).lowercased(),
                String(decoding: value, as: UTF8.self)
            ))
    }

    private static let openSocket: curl_opensocket_callback = { context, _, address in
        guard let transfer = from(context), let address else { return CURL_SOCKET_BAD }
        guard let bytes = bytes(of: address), transfer.mayDial?(bytes) == true else {
            transfer.wasRefused = true
            return CURL_SOCKET_BAD
        }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            address.pointee.protocol)
    }

    private static func bytes(of address: UnsafeMutablePointer<curl_sockaddr>) -> [UInt8]? {
        withUnsafePointer(to: &address.pointee.addr) { pointer in
            let raw = UnsafeRawPointer(pointer)
            switch address.pointee.family {
            case AF_INET:
                let start = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 4
                return [UInt8](UnsafeRawBufferPointer(start: raw + start, count: 4))
            case AF_INET6:
                let start = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 8
                return [UInt8](UnsafeRawBufferPointer(start: raw + start, count: 16))
            default: return nil
            }
        }
    }
}
