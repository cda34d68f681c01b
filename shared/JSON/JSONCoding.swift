import FoundationEssentials

/// Messages between services: Swift values to JSON and back, one setting for all.
public enum JSONCoding {
    /// Compact UTF-8 JSON, keys sorted, slashes not escaped.
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value))
    }

    /// - Throws: `DecodingError` for a text that is no JSON or does not have the shape of `Value`.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws
        -> Value
    {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
