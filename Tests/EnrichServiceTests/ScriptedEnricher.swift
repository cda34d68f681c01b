import Interfaces
import JSON
import Sockets
import Synchronization
import Varlink

/// An enricher that a test makes up, well behaved or not: accepts on a real socket, reads messages up to their NUL and
/// does with the connection what the script says.
final class ScriptedEnricher: Sendable {
    /// Gets the connection and the call; returns false to end the connection.
    typealias Script = @Sendable (StreamSocket, JSONValue) throws -> Bool

    private let calls = Mutex<[JSONValue]>([])
    private let stop: WakeEvent
    private let script: Script

    init(at path: String, _ script: @escaping Script) throws {
        stop = try WakeEvent()
        self.script = script
        let listener = try ListeningSocket.unix(path: path)
        try WorkerThread.start("scripted") { [self] in
            while let socket = try? listener.accept(until: stop) {
                // A thread that cannot be had shows as a connection that is never answered, and fails the test.
                try? WorkerThread.start("scripted") { [self] in answer(socket) }
            }
        }
    }

    func close() { stop.signal() }

    /// What was asked, in the order in which it came.
    var asked: [JSONValue] { calls.withLock { $0 } }
    func asked(_ method: String) -> [JSONValue] {
        asked.filter { $0["method"]?.string == "org.opentask.enricher.\(method)" }
    }

    private func answer(_ socket: StreamSocket) {
        var bytes: [UInt8] = []
        while let chunk = try? socket.read(atMost: 65_536), !chunk.isEmpty {
            bytes += chunk
            while let end = bytes.firstIndex(of: 0) {
                let message = Array(bytes[..<end])
                bytes.removeSubrange(...end)
                guard let call = try? JSONValue(parsing: message) else { return }
                calls.withLock { $0.append(call) }
                guard (try? script(socket, call)) == true else { return }
            }
        }
    }

    // MARK: Parts of scripts

    static func reply(_ socket: StreamSocket, _ json: String) throws {
        try socket.write(Array(json.utf8) + [0])
    }

    /// Answers GetCapabilities properly and leaves the rest to `enrich`.
    static func wellBehaved(
        parallel: Int = 1, wantsUserContext: Bool = false, kinds: [String] = [],
        _ enrich: @escaping @Sendable (StreamSocket, JSONValue) throws -> Bool
    ) -> Script {
        { socket, call in
            guard call["method"] == "org.opentask.enricher.GetCapabilities" else {
                return try enrich(socket, call)
            }
            let reply = EnricherInterface.GetCapabilities.Reply(
                name: "scripted", version: "9", kinds: kinds, fields: ["title"], languages: ["en"],
                maxTextBytes: 10_000, maxParallel: parallel, typicalMs: 100, deterministic: false,
                usesNetwork: false, wantsUserContext: wantsUserContext)
            let text = String(decoding: try JSONCoding.encode(reply), as: UTF8.self)
            try Self.reply(socket, "{\"parameters\":\(text)}")
            return true
        }
    }

    static func result(_ title: String, _ rest: String = "") -> String {
        "{\"parameters\":{\"result\":{\"title\":\"\(title)\"\(rest)}}}"
    }

    static func error(_ name: String, _ parameters: String = "{}") -> String {
        "{\"error\":\"org.opentask.enricher.\(name)\",\"parameters\":\(parameters)}"
    }
}
