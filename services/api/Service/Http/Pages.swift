import FoundationEssentials
import HTTPServer

/// The web app: files as they lie in its folders, the sign-in page for whoever is not signed in.
struct Pages: Sendable {
    let folders: [String]

    /// Without inline script, nothing from elsewhere.
    private static let policy =
        "default-src 'self'; base-uri 'none'; connect-src 'self'; font-src 'self'; form-action 'self'; "
        + "frame-ancestors 'none'; img-src 'self' data:; object-src 'none'; script-src 'self'; style-src 'self'"

    /// - Parameter isSignedIn: asked only where it matters.
    func answer(_ request: HTTPRequest, isSignedIn: () throws -> Bool) throws -> HTTPResponse {
        guard request.method == "GET" || request.method == "HEAD" else {
            throw Failure.methodNotAllowed(["GET", "HEAD"])
        }
        switch request.segments {
        case []:
            guard try isSignedIn() else {
                // The items came decoded: each is encoded again before the whole is.
                let query = request.queryItems.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
                    .joined(separator: "&")
                let prefix = try request.sitePrefix()
                let target = prefix + (query.isEmpty ? "/" : "/?\(query)")
                return HTTPResponse(
                    status: 303,
                    headers: [
                        ("Location", "\(prefix)/login?callbackUrl=\(Self.encoded(target))"),
                        ("Cache-Control", "no-store"),
                    ])
            }
            return try file(["index.html"], request)
        case ["login"]: return try file(["login.html"], request)
        default: return try file(request.segments, request)
        }
    }

    private func file(_ segments: [String], _ request: HTTPRequest) throws -> HTTPResponse {
        guard
            !segments.contains(where: {
                $0.isEmpty || $0.hasPrefix(".") || $0.contains("/") || $0.contains("\0")
            }),
            let path = find(segments)
        else { throw Failure.notFound("Page") }
        let tag = try Self.tag(path)
        var headers = [
            ("Cache-Control", "no-cache"), ("Content-Security-Policy", Self.policy), ("ETag", tag),
            ("Referrer-Policy", "same-origin"), ("X-Content-Type-Options", "nosniff"),
        ]
        if request.headers("If-None-Match").contains(where: { $0.contains(tag) }) {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers.append(("Content-Type", Self.type(path)))
        return HTTPResponse(status: 200, headers: headers, body: .file(path: path))
    }

    private func find(_ segments: [String]) -> String? {
        for folder in folders {
            let path = folder + "/" + segments.joined(separator: "/")
            var isFolder = false
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder { return path }
        }
        return nil
    }

    /// Size and time of change: enough to notice a new release, cheap enough to ask each time.
    private static func tag(_ path: String) throws -> String {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let size = attributes[.size] as? Int ?? 0
        let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\"\(String(size, radix: 36))-\(String(Int(changed * 1000), radix: 36))\""
    }

    private static func type(_ path: String) -> String {
        switch path.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json": "application/json"
        case "webmanifest": "application/manifest+json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "ico": "image/x-icon"
        case "woff2": "font/woff2"
        default: "application/octet-stream"
        }
    }

    /// Percent-encoding of everything but unreserved characters (RFC 3986 section 2.3) and slashes.
    private static func encoded(_ text: String) -> String {
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126, 47: bytes.append(byte)
            default: bytes += [37, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
