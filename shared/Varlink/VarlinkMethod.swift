/// One method of an interface: its full name and the Swift types of its parameters and its reply.
///
/// Both types encode to JSON objects.
public protocol VarlinkMethod {
    associatedtype Parameters: Codable & Sendable
    associatedtype Reply: Codable & Sendable

    /// Fully qualified: `org.example.clock.Due`.
    static var name: String { get }
}

/// The parameters of a method that takes none, the reply of one that gives none: `()`.
public struct VarlinkEmpty: Codable, Hashable, Sendable {
    public init() {}
}
