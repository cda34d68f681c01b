import CMicrohttpd
import Glibc

/// Turns an answer into what goes out.
enum Reply {
    /// libmicrohttpd's response object, owned by the caller.
    ///
    /// - Parameter headOnly: the request's method is HEAD.
    static func make(
        _ response: HTTPResponse, headOnly: Bool, close: Bool
    ) throws(HTTPRefusal) -> OpaquePointer {
        let reply = try body(response.body)
        // libmicrohttpd 0.9.75 ends a chunked body even where there is none: `0` after the head for HEAD.
        if headOnly, case .stream = response.body { otmhd_end_by_closing(reply) }
        for header in response.headers where !isOurs(header.name) {
            guard MHD_add_response_header(reply, header.name, header.value) == .YES else {
                MHD_destroy_response(reply)
                throw .unsendableHeader(name: header.name)
            }
        }
        if close { MHD_add_response_header(reply, "Connection", "close") }
        return reply
    }

    /// The same as text, with `Connection: close`; files and streams are left out.
    static func bytes(_ response: HTTPResponse) -> [UInt8] {
        let body: [UInt8] = if case .bytes(let bytes) = response.body { bytes } else { [] }
        let reason = MHD_get_reason_phrase_for(UInt32(response.status)).map { String(cString: $0) } ?? ""
        var head = "HTTP/1.1 \(response.status) \(reason)\r\n"
        for header in response.headers where !isOurs(header.name) && isSendable(header) {
            head += "\(header.name): \(header.value)\r\n"
        }
        head += "Date: \(date())\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    private static func body(_ body: HTTPResponse.Body) throws(HTTPRefusal) -> OpaquePointer {
        switch body {
        case .empty:
            return created(MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT))
        case .bytes(let bytes):
            // Copied: a Swift array's storage is promised only while the closure runs.
            return bytes.withUnsafeBytes { bytes in
                created(
                    MHD_create_response_from_buffer(
                        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                        .RESPMEM_MUST_COPY))
            }
        case .file(let path):
            return try file(path)
        case .pieces(let pieces):
            return try self.body(.stream(HTTPStream(pieces)))  // a connection has made its stream before
        case .stream(let stream):
            // The buffer is used for HTTP/1.0 clients only; for all others data goes into the connection's memory.
            return created(
                MHD_create_response_from_callback(
                    UInt64.max, 1024,
                    { context, _, buffer, capacity in
                        guard let context, let buffer else { return otmhd_end_with_error }
                        return Unmanaged<HTTPStream>.fromOpaque(context).takeUnretainedValue()
                            .read(into: buffer, capacity: capacity)
                    },
                    Unmanaged.passRetained(stream).toOpaque(),
                    { context in
                        if let context { Unmanaged<HTTPStream>.fromOpaque(context).release() }
                    }))
        }
    }

    private static func file(_ path: String) throws(HTTPRefusal) -> OpaquePointer {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)  // a pipe must not block
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if file >= 0 { Glibc.close(file) }
            throw .missingFile(path: path)
        }
        // libmicrohttpd closes the file with the response.
        return created(MHD_create_response_from_fd64(UInt64(status.st_size), file))
    }

    private static func created(_ reply: OpaquePointer?) -> OpaquePointer {
        guard let reply else { preconditionFailure("out of memory") }
        return reply
    }

    /// Now, as RFC 9110 section 5.6.7 writes it. Services do not set a locale, so the names are English.
    private static func date() -> String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        return String(unsafeUninitializedCapacity: 64) { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                strftime($0.baseAddress!, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)  // has a capacity
            }
        }
    }

    private static func isOurs(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: name.lowercased() == "date"
        case 10: name.lowercased() == "connection"
        case 14: name.lowercased() == "content-length"
        case 17: name.lowercased() == "transfer-encoding"
        default: false
        }
    }

    private static func isSendable(_ header: (name: String, value: String)) -> Bool {
        !header.name.isEmpty && !(header.name + header.value).utf8.contains { $0 == 0x0A || $0 == 0x0D }
    }
}
