import Crypto
import FoundationEssentials

/// A private key that signs, as people keep it: base64url of its 32 bytes, or PEM.
public struct P256Secret: Sendable {
    let key: P256PrivateKey

    init(_ key: P256PrivateKey) {
        self.key = key
    }

    /// Nil for anything that is no key.
    public init?(_ text: String) {
        let parsed: P256PrivateKey?
        // try? : the caller says which setting is wrong; libcrypto's code would add nothing
        if text.contains("-----BEGIN") {
            parsed = try? P256PrivateKey(pem: text)
        } else {
            parsed = Base64URL.decode(text).flatMap { try? P256PrivateKey(scalar: $0) }
        }
        guard let parsed else { return nil }
        key = parsed
    }

    /// The uncompressed point, 65 bytes.
    public var publicKey: [UInt8] { key.publicKey.uncompressed }

    /// The key in `path`, or a fresh one that is written there, readable by its owner alone.
    ///
    /// A file that is empty, from a start that was cut off, is filled; one with other content is an error.
    static func kept(at path: String) throws -> P256Secret {
        if let text = readText(path), !text.isEmpty {
            guard let key = P256Secret(text) else {
                throw KeptKeyError(path: path, problem: "holds no P-256 key")
            }
            return key
        }
        let key = P256Secret(.generate())
        // Made with its permissions first, so that at no moment anybody else can read the key.
        guard
            FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw KeptKeyError(path: path, problem: "cannot be made") }
        try Data((Base64URL.encode(key.key.scalar) + "\n").utf8).write(to: URL(filePath: path))
        return key
    }
}

struct KeptKeyError: Error, CustomStringConvertible {
    var path: String
    var problem: String
    var description: String { "\(path) \(problem)" }
}

/// The text of a file without white space at its ends; nil when it cannot be read.
func readText(_ path: String) -> String? {
    // try? : every caller has its own words for a file that cannot be read
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.split(separator: "\n").map { $0.trimmingSuffix(while: \.isWhitespace) }.joined(
        separator: "\n")
}

extension Substring {
    fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> Substring {
        guard let last = lastIndex(where: { !matches($0) }) else { return "" }
        return self[...last]
    }
}
