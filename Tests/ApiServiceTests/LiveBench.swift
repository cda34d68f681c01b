import ApiService
import Domain
import Glibc
import HTTPServer
import JSON
import Time

/// Reads the event stream of a real server, as a page does.
final class EventReader {
    private let socket: Int32
    private var buffer: [UInt8] = []
    private(set) var isEnded = false
    /// Status line and header fields.
    private(set) var head = ""

    /// One event: its id and its JSON.
    struct Event: Equatable {
        var id: Int64?
        var data: JSONValue
    }

    init(port: UInt16, headers: [String]) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // The two numbers of a timeval. Its initializer is looked for in another module when this file happens to be
        // compiled together with certain others (Swift 6.3, MemberImportVisibility).
        var timeout = (seconds: 20, microseconds: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Missing(description: "connection: \(errno)") }
        let request =
            (["GET /api/sync/stream HTTP/1.0", "Host: t"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
        guard send(socket, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else {
            throw Missing(description: "request")
        }
        head = try block(endedBy: Array("\r\n\r\n".utf8))
    }

    deinit { close(socket) }

    func hangUp() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// The next event; nil when the server ended the stream. Heartbeats in between are passed over.
    func next() throws -> Event? {
        while let text = try paragraph() {
            var event = Event(id: nil, data: .null)
            for line in text.split(whereSeparator: \.isNewline) {
                if line.hasPrefix("id: ") { event.id = Int64(line.dropFirst(4)) }
                if line.hasPrefix("data: ") {
                    event.data = try JSONValue(parsing: Array(line.dropFirst(6).utf8))
                }
            }
            if event.data != .null { return event }
        }
        return nil
    }

    /// Waits for a heartbeat, whatever comes before it; false when the server ended the stream.
    func heartbeat() throws -> Bool {
        while let text = try paragraph() {
            if text == ": heartbeat" { return true }
        }
        return false
    }

    private func paragraph() throws -> String? {
        guard let text = try? block(endedBy: Array("\n\n".utf8)) else {
            guard isEnded else { throw Missing(description: "event within 20 s") }
            return nil
        }
        return text
    }

    /// HTTP/1.0 has no chunks: the text comes as it is.
    private func block(endedBy end: [UInt8]) throws -> String {
        while true {
            if let range = find(end) {
                let text = String(decoding: buffer[..<range], as: UTF8.self)
                buffer.removeFirst(range + end.count)
                return text
            }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &bytes, bytes.count, 0)
            guard count > 0 else {
                isEnded = count == 0 || errno == ECONNRESET
                throw Missing(description: "bytes")
            }
            buffer += bytes[..<count]
        }
    }

    private func find(_ end: [UInt8]) -> Int? {
        guard buffer.count >= end.count else { return nil }
        return (0...(buffer.count - end.count)).first { buffer[$0..<$0 + end.count].elementsEqual(end) }
    }
}

/// A bench whose api answers on a real socket, with the threads that deliver.
final class LiveBench {
    let bench: Bench
    let ann: Bench.Person
    private let service: Service
    private let web: WebServer
    private let listening: Int32
    private let port: UInt16

    init() throws {
        bench = try Bench()
        ann = try bench.add()
        service = try Service(bench.parts)
        let listening = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listening = listening
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listening, address, size) + listen(listening, 16)
                    + getsockname(listening, address, &size)
            }
        }
        guard code == 0 else { throw Missing(description: "port: \(errno)") }
        port = UInt16(bigEndian: address.sin_port)
        web = WebServer(handler: service.api, threads: 4)
        try web.serve(listening: listening)
    }

    deinit {
        web.drain(timeoutMilliseconds: 2000)
        service.stop()
        close(listening)
    }

    func open(_ person: Bench.Person? = nil, after id: String? = nil) throws -> EventReader {
        var headers = ["Authorization: Bearer \((person ?? ann).token)"]
        if let id { headers.append("Last-Event-ID: \(id)") }
        return try EventReader(port: port, headers: headers)
    }

    func open(cookie: String) throws -> EventReader {
        try EventReader(port: port, headers: ["Cookie: authjs.session-token=\(cookie)"])
    }

    @discardableResult
    func make(_ title: String, by person: Bench.Person? = nil) throws -> Int64 {
        try bench.make(title, by: person ?? ann).id
    }

    /// As at the end of the process.
    func drain() { web.drain(timeoutMilliseconds: 5000) }
}
