import FoundationEssentials
import HTTPClient
import Interfaces
import JSON

/// The HTTP API of an instance: on this machine through the api's own socket, elsewhere over HTTP.
struct Api {
    private let exchange: (String, String, JSONValue?) throws(CommandFailure) -> (status: Int, body: [UInt8])

    init(_ call: Invocation) throws(CommandFailure) {
        if let server = call.option("server") {
            exchange = try Api.remote(server, call.option("token"))
        } else {
            exchange = Api.local(try RunFolder(call).client("api.sock"), user: call.option("user"))
        }
    }

    /// One request.
    /// - Returns: the payload, without its envelope (api 1.3).
    func send(_ method: String, _ path: String, _ body: JSONValue? = nil) throws(CommandFailure) -> JSONValue
    {
        let (status, bytes) = try exchange(method, path, body)
        let answer: JSONValue
        do {
            answer = bytes.isEmpty ? .null : try JSONValue(parsing: bytes)
        } catch {
            throw .failed("this is no OpenTask: status \(status) and no JSON")
        }
        guard (200..<300).contains(status) else {
            let text = answer["error"]?.string ?? "refused with status \(status)"
            // A single field's refusal says the same in both places.
            let details = (answer["details"]?.object ?? [:]).sorted { $0.key < $1.key }
                .compactMap { key, detail -> String? in
                    guard let detail = detail.string, !text.contains(detail) else { return nil }
                    return key.isEmpty ? detail : "\(key): \(detail)"
                }
            throw .failed(([text] + details).joined(separator: "; "))
        }
        return answer["data"] ?? answer
    }

    private static func local(
        _ client: LocalClient, user: String?
    ) -> (String, String, JSONValue?) throws(CommandFailure) -> (status: Int, body: [UInt8]) {
        { (method, path, body) throws(CommandFailure) in
            let reply = try client.call(
                Local.Call.self, .init(user: user, method: method, path: path, body: body.map(text)))
            return (reply.status, Array(reply.body.utf8))
        }
    }

    private static func remote(
        _ server: String, _ token: String?
    ) throws(CommandFailure) -> (String, String, JSONValue?) throws(CommandFailure) -> (
        status: Int, body: [UInt8]
    ) {
        guard server.hasPrefix("http://") || server.hasPrefix("https://") else {
            throw .usage("--server wants an address that begins with https:// or http://")
        }
        guard let token else {
            throw .usage(
                "--server needs --token (or OPENTASK_TOKEN): `opentask token create USER` there makes one")
        }
        let base = server.hasSuffix("/") ? String(server.dropLast()) : server
        let sender = HTTPSender()
        return { (method, path, body) throws(CommandFailure) in
            let request = HTTPClientRequest(
                method: method, url: base + path,
                headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
                body: body.map { Array(text($0).utf8) } ?? [], maximumReplyCount: 64 << 20)
            do throws(HTTPClientError) {
                let reply = try sender.sendBlocking(request)
                return (reply.status, reply.body)
            } catch {
                throw .unreachable("\(base) does not answer: \(error)")
            }
        }
    }
}

/// A value as JSON text, keys sorted.
func text(_ value: JSONValue) -> String {
    // A JSONValue always encodes: its numbers are finite, being parsed from JSON or written here.
    String(decoding: (try? JSONCoding.encode(value)) ?? [], as: UTF8.self)
}

/// A message between services as JSON text.
func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONCoding.encode(value), as: UTF8.self)
}
