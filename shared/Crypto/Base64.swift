/// Base64 with the standard alphabet and padding (RFC 4648 section 4).
public enum Base64 {
    public static func encode(_ bytes: [UInt8]) -> String {
        Alphabet.standard.encode(bytes, padded: true)
    }

    /// Nil for anything but complete, padded groups of the alphabet.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        let padding = characters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return Alphabet.standard.decode(characters.dropLast(padding))
    }
}

/// Base64 with the alphabet for addresses, without padding (RFC 4648 section 5), as JWTs and Web Push keys have it.
public enum Base64URL {
    public static func encode(_ bytes: [UInt8]) -> String {
        Alphabet.url.encode(bytes, padded: false)
    }

    /// Padding is tolerated, since some browsers' keys carry it; nil for anything outside the alphabet.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding == 0 || (padding <= 2 && characters.count % 4 == 0) else { return nil }
        return Alphabet.url.decode(characters.dropLast(padding))
    }
}

/// Bytes as pairs of hexadecimal digits (RFC 4648 section 8), written in lower case.
public enum Hex {
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Either case is read; nil for an odd number of digits or any other character.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 2)
        for index in stride(from: 0, to: characters.count, by: 2) {
            guard let high = value(characters[index]), let low = value(characters[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// 64 characters and the way back.
private struct Alphabet: Sendable {
    static let standard = Alphabet(last: "+/")
    static let url = Alphabet(last: "-_")

    private let characters: [UInt8]
    /// 255 where a byte is no character of the alphabet.
    private let values: [UInt8]

    init(last: String) {
        characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    func encode(_ bytes: [UInt8], padded: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let group = bytes[index..<min(index + 3, bytes.count)]
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - group.count))
            for position in 0...3 {
                if position <= group.count {
                    text.append(characters[Int(bits >> UInt32(18 - 6 * position)) & 63])
                } else if padded {
                    text.append(UInt8(ascii: "="))
                }
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Bits that a last group has over must be zero, so that two texts never mean the same bytes.
    func decode(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var held = 0
        for character in text {
            let value = values[Int(character)]
            guard value != 255 else { return nil }
            bits = (bits << 6 | UInt32(value)) & 0xFFFF
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            }
        }
        guard held < 6, bits & (1 << UInt32(held) - 1) == 0 else { return nil }
        return bytes
    }
}
