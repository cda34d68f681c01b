import Glibc

/// A listening TCP socket on a free loopback port.
func listenOnLoopback(backlog: Int32 = 128) throws -> (socket: Int32, port: UInt16) {
    let listening = try check(socket(AF_INET, Int32(SOCK_STREAM.rawValue) | 0o2000000, 0), "socket")
    var address = loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            try check(bind(listening, $0, size), "bind")
            try check(listen(listening, backlog), "listen")
            try check(getsockname(listening, $0, &size), "getsockname")
        }
    }
    return (listening, UInt16(bigEndian: address.sin_port))
}

/// A listening Unix socket at `path`.
func listenOnUnix(path: String) throws -> Int32 {
    let listening = try check(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), "socket")
    try withUnixAddress(path) { address, size in
        try check(bind(listening, address, size), "bind")
        try check(listen(listening, 16), "listen")
    }
    return listening
}

struct SocketError: Error { var step: String, code: Int32 }

@discardableResult
func check(_ result: Int32, _ step: String) throws -> Int32 {
    guard result >= 0 else { throw SocketError(step: step, code: errno) }
    return result
}

private func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}

private func withUnixAddress<T>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> T
) throws -> T {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return try withUnsafePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            try body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}

/// An answer as it came over the wire.
struct RawAnswer {
    var status: Int
    var head: [String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? {
        for line in head {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name.lowercased() {
                return String(parts[1].drop { $0 == " " })
            }
        }
        return nil
    }
}

/// An HTTP client that does what it is told, byte by byte. Written for these tests; it shares nothing with the server.
///
/// Reading gives up after 20 s, so that a test fails instead of hanging.
final class RawClient {
    enum Failure: Error { case closed, timedOut, reset, unreadable }

    let socket: Int32
    private var buffer: [UInt8] = []

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        socket = try check(Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), "socket")
        if var size = receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = loopback(port: port)
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = try check(connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)), "connect")
            }
        }
        setTimeout()
    }

    init(path: String) throws {
        socket = try check(Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), "socket")
        try withUnixAddress(path) { _ = try check(connect(socket, $0, $1), "connect") }
        setTimeout()
    }

    deinit { close(socket) }

    private func setTimeout() {
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure.reset }
            sent += count
        }
    }

    /// Sends a request with what HTTP/1.1 demands, and reads the answer.
    func exchange(
        _ method: String, _ target: String, headers: [String] = [], body: String? = nil
    ) throws -> RawAnswer {
        try send(request(method, target, headers: headers, body: body))
        return try answer(to: method)
    }

    func request(_ method: String, _ target: String, headers: [String] = [], body: String? = nil) -> String {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    /// Reads one answer to its end.
    func answer(to method: String = "GET") throws -> RawAnswer {
        var answer = try head()
        if method == "HEAD" || answer.status == 204 || answer.status == 304 { return answer }
        if answer.header("Transfer-Encoding")?.lowercased() == "chunked" {
            while let chunk = try chunk() { answer.body += chunk }
        } else if let length = answer.header("Content-Length").flatMap({ Int($0) }) {
            answer.body = try bytes(length)
        } else {
            while let more = try? bytes(1) { answer.body += more }
        }
        return answer
    }

    func head() throws -> RawAnswer {
        var lines: [String] = []
        while true {
            let line = try line()
            if line.isEmpty { break }
            lines.append(line)
        }
        let parts = lines.first?.split(separator: " ") ?? []
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), let status = Int(parts[1]) else {
            throw Failure.unreadable
        }
        return RawAnswer(status: status, head: Array(lines.dropFirst()), body: [])
    }

    /// The next chunk of a chunked body; nil after the last.
    func chunk() throws -> [UInt8]? {
        guard let size = Int(try line(), radix: 16) else { throw Failure.unreadable }
        let chunk = try bytes(size)
        guard try line().isEmpty else { throw Failure.unreadable }
        return size == 0 ? nil : chunk
    }

    func line() throws -> String {
        var line: [UInt8] = []
        while true {
            let byte = try bytes(1)[0]
            if byte == UInt8(ascii: "\n") { break }
            line.append(byte)
        }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    func bytes(_ count: Int) throws -> [UInt8] {
        while buffer.count < count { try fill() }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    /// True when the server has closed the connection in order, with nothing left to read.
    func isAtEnd() -> Bool {
        guard buffer.isEmpty else { return false }
        do {
            try fill()
            return false
        } catch Failure.closed {
            return true
        } catch {
            return false
        }
    }

    /// Everything until the connection ends in whatever way.
    func readAll() -> Int {
        var total = buffer.count
        buffer = []
        while (try? fill()) != nil {
            total += buffer.count
            buffer = []
        }
        return total
    }

    private func fill() throws {
        var block = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &block, block.count, 0)
        if count == 0 { throw Failure.closed }
        if count < 0 { throw errno == EAGAIN ? Failure.timedOut : Failure.reset }
        buffer += block[..<count]
    }
}
