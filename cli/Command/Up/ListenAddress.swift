/// `HOST:PORT`, `[::1]:PORT`, `:PORT` (every address) or `PORT` (127.0.0.1). Port 0 is any free one.
public struct ListenAddress: Equatable {
    public let host: String
    public let port: UInt16

    public init?(_ text: String) {
        let host: String
        let digits: Substring
        if let colon = text.lastIndex(of: ":") {
            let before = text[..<colon]
            digits = text[text.index(after: colon)...]
            if before.hasPrefix("["), before.hasSuffix("]") {
                host = String(before.dropFirst().dropLast())
            } else {
                guard !before.contains(":") else { return nil }  // ::1:3000 could mean two things
                host = before.isEmpty ? "0.0.0.0" : String(before)
            }
        } else {
            host = "127.0.0.1"
            digits = text[...]
        }
        guard !digits.isEmpty, digits.allSatisfy(\.isASCII), let port = UInt16(digits), !host.isEmpty else {
            return nil
        }
        self.host = host
        self.port = port
    }

    /// What a browser on this machine opens, once the port is known.
    public static func url(host: String, port: UInt16) -> String {
        switch host {
        case "0.0.0.0", "::": "http://localhost:\(port)"
        case _ where host.contains(":"): "http://[\(host)]:\(port)"
        default: "http://\(host):\(port)"
        }
    }
}
