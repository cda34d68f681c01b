import CMicrohttpd
import Glibc
import Synchronization

/// A client's connection and the request that is under way on it.
///
/// Unchecked: `Phase` and the request's parts are touched by the worker's thread only; what others ask is atomic,
/// or behind `shared`.
final class Connection: @unchecked Sendable {
    /// Where the request is. libmicrohttpd calls `receive` first with the head, then with each part of the body,
    /// then once more with none.
    private enum Phase {
        case head
        case body
        case answered
    }

    private struct Shared {
        /// -1 once libmicrohttpd is about to close it.
        var socket: Int32
        var stream: HTTPStream?
        var hungUp = false
    }

    let socket: Int32
    /// Tells it from an earlier one with the same socket number.
    let serial: UInt32
    let peer: HTTPPeer
    private let worker: Worker
    private let shared: Mutex<Shared>
    /// A request line was read whose answer is not sent yet.
    private let busy = Atomic(false)

    private var mhd: OpaquePointer?
    private var phase = Phase.head
    private var target: Result<RequestTarget, HTTPRefusal> = .failure(.malformed("none"))
    private var headOnly = false
    /// HTTP/1.0
    private var isOld = false
    private var body: [UInt8] = []
    private var bodyLimit = 0
    private var refusal: HTTPRefusal?
    private var lingers = false

    init(socket: Int32, serial: UInt32, peer: HTTPPeer, worker: Worker) {
        self.socket = socket
        self.serial = serial
        self.peer = peer
        self.worker = worker
        shared = Mutex(Shared(socket: socket))
    }

    /// The object behind a pointer that `Worker` has put into the connection.
    static func from(_ opaque: UnsafeMutableRawPointer?) -> Connection? {
        opaque.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
    }
}

// The request, on the worker's thread.
extension Connection {
    func begin(uri: UnsafePointer<CChar>, mhd: OpaquePointer) {
        busy.store(true, ordering: .sequentiallyConsistent)
        self.mhd = mhd
        phase = .head
        let bytes = UnsafeRawBufferPointer(start: uri, count: strlen(uri))
        do throws(HTTPRefusal) { target = .success(try RequestTarget(bytes)) } catch {
            target = .failure(error)
        }
        hideQuery(uri, count: bytes.count)
    }

    /// Ends the query before libmicrohttpd takes it apart, which we do not need. It would keep each parameter in the
    /// connection's memory, and when that is full (some 400 of them) 0.9.75 neither answers nor closes the connection.
    /// The text is in that memory, and ours to change: the callback is made before libmicrohttpd looks at it.
    private func hideQuery(_ uri: UnsafePointer<CChar>, count: Int) {
        guard let mark = (0..<count).first(where: { uri[$0] == CChar(UInt8(ascii: "?")) }), mark + 1 < count
        else { return }
        UnsafeMutablePointer(mutating: uri)[mark + 1] = 0
    }

    /// - Returns: false to close the connection.
    func receive(
        method: UnsafePointer<CChar>, version: UnsafePointer<CChar>, upload: UnsafePointer<CChar>?,
        size: UnsafeMutablePointer<Int>
    ) -> Bool {
        switch phase {
        case .head:
            phase = .body
            return takeHead(String(cString: method), version: String(cString: version))
        case .body where size.pointee > 0:
            guard let upload else { return false }
            let count = size.pointee
            guard body.count + count <= bodyLimit else { return refuseMidway() }
            body.append(contentsOf: UnsafeRawBufferPointer(start: upload, count: count))
            size.pointee = 0
            return true
        case .body:
            phase = .answered
            return answer(String(cString: method))
        case .answered:
            size.pointee = 0
            return true
        }
    }

    func complete(sent: Bool) {
        let stream = shared.withLock { shared in
            defer { shared.stream = nil }
            return shared.stream
        }
        if let stream {
            if !stream.isMade {
                worker.core.unwatch(self)
                worker.load.add(1, ordering: .relaxed)
            }
            stream.detach()
        }
        if lingers, sent { worker.core.linger(socket) }
        lingers = false
        body = []
        refusal = nil
        mhd = nil
        busy.store(false, ordering: .sequentiallyConsistent)
        worker.core.changed()
    }

    func end() {
        shared.withLock { $0.socket = -1 }
        worker.core.ended(socket, on: worker)
    }

    private func takeHead(_ method: String, version: String) -> Bool {
        guard let mhd else { return false }
        headOnly = method == "HEAD"
        isOld = version == "HTTP/1.0"
        let length = field(mhd, "Content-Length")
        let coding = field(mhd, "Transfer-Encoding")
        let hasBody = length != nil && length != "0" || coding != nil
        if let coding, coding.lowercased() != "chunked" {
            // libmicrohttpd would read until the connection ends, which nobody who waits for an answer does.
            target = .failure(.malformed("an unknown transfer encoding"))
        }
        switch target {
        case .failure(let malformed):
            refusal = malformed
        case .success(let target):
            guard hasBody else { break }
            bodyLimit = worker.core.handler.bodyLimit(method: method, path: target.path)
            guard let length else { break }
            // Digits only, or libmicrohttpd would have refused it; so nil is a number too large for us.
            let announced = Int(length) ?? Int.max
            if announced > bodyLimit {
                refusal = .bodyTooLarge(limit: bodyLimit)
            } else {
                body.reserveCapacity(announced)
            }
        }
        guard hasBody, let refusal else { return true }
        // Without the body, which may never come (`Expect: 100-continue`) or be endless.
        phase = .answered
        lingers = true
        return send(worker.core.handler.refuse(refusal), close: true)
    }

    private func answer(_ method: String) -> Bool {
        guard let mhd else { return false }
        switch target {
        case .failure(let malformed):
            return send(worker.core.handler.refuse(malformed), close: false)
        case .success(let target):
            var fields = HeaderFields()
            collect(mhd, into: &fields)
            let request = HTTPRequest(
                method: method, target: target, fields: fields, body: body, peer: peer)
            body = []
            return send(worker.core.handler.respond(to: request), close: false)
        }
    }

    /// A body without a length turned out too large.
    ///
    /// libmicrohttpd answers before a body or after it, not within; so the answer is written past it and the
    /// connection closed.
    private func refuseMidway() -> Bool {
        phase = .answered
        let response = worker.core.handler.refuse(.bodyTooLarge(limit: bodyLimit))
        let bytes = Reply.bytes(response)
        let written = bytes.withUnsafeBytes {
            Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if written == bytes.count { worker.core.linger(socket) }
        return false
    }

    private func send(_ response: HTTPResponse, close: Bool) -> Bool {
        guard let mhd else { return false }
        do throws(HTTPRefusal) {
            return try queue(response, close: close, on: mhd)
        } catch {
            do throws(HTTPRefusal) {
                return try queue(worker.core.handler.refuse(error), close: close, on: mhd)
            } catch {
                return false
            }
        }
    }

    private func queue(
        _ response: HTTPResponse, close: Bool, on mhd: OpaquePointer
    ) throws(HTTPRefusal) -> Bool {
        var response = response
        if case .pieces(let pieces) = response.body { response.body = .stream(HTTPStream(pieces)) }
        if case .stream(let stream) = response.body {
            precondition(
                stream.attach(mhd, socket: socket, endsByClosing: isOld), "a stream serves one answer")
            shared.withLock { $0.stream = stream }
            if !stream.isMade {
                worker.load.subtract(1, ordering: .relaxed)
                worker.core.watch(self)
            }
        }
        // Read after the stream can be found: whoever starts draining later closes it.
        let draining = worker.core.isDraining
        if draining, case .stream(let stream) = response.body, !stream.isMade { stream.close() }
        let reply = try Reply.make(response, headOnly: headOnly, close: close || draining)
        defer { MHD_destroy_response(reply) }
        return MHD_queue_response(mhd, UInt32(response.status), reply) == .YES
    }

    private func field(_ mhd: OpaquePointer, _ name: String) -> String? {
        MHD_lookup_connection_value(mhd, .HEADER_KIND, name).map { String(cString: $0) }
    }

    private func collect(_ mhd: OpaquePointer, into fields: inout HeaderFields) {
        _ = withUnsafeMutablePointer(to: &fields) { pointer in
            MHD_get_connection_values_n(
                mhd, .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    context?.assumingMemoryBound(to: HeaderFields.self).pointee.append(
                        name: UnsafeRawBufferPointer(start: name, count: nameSize),
                        value: UnsafeRawBufferPointer(start: value, count: valueSize))
                    return .YES
                }, pointer)
        }
    }
}

// What other threads do with it.
extension Connection {
    /// The peer of a stream is gone.
    func peerGone() { shared.withLock { $0.stream }?.abandon() }

    /// Lets a stream end after what is pending.
    func closeStream() {
        guard let stream = shared.withLock({ $0.stream }), !stream.isMade else { return }
        stream.close()
    }

    /// Closes an idle connection, as seen by its worker: reads as if the peer had closed it.
    ///
    /// Only the reading side is shut down. What has arrived before is still read, and then answered.
    func hangUpIfIdle() {
        shared.withLock { shared in
            guard shared.socket >= 0, !shared.hungUp, !busy.load(ordering: .sequentiallyConsistent),
                otmhd_unread(shared.socket) == 0
            else { return }
            shared.hungUp = true
            shutdown(shared.socket, Int32(SHUT_RD))
        }
    }

    /// Closes it whatever is going on.
    func abort() {
        let stream = shared.withLock { shared in
            if shared.socket >= 0 { shutdown(shared.socket, Int32(SHUT_RDWR)) }
            return shared.stream
        }
        stream?.abandon()
    }
}
