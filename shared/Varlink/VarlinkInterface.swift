/// An interface: a name, and the types, methods and errors that it declares, in the order of its text.
///
/// The language is https://varlink.org/Interface-Definition.
public struct VarlinkInterface: Hashable, Sendable {
    /// Reverse domain name: `org.example.clock`.
    public let name: String
    /// The comment before `interface`, without its `#`; empty when there is none.
    public let doc: String
    /// The text that was parsed, as it was: what introspection serves.
    public let text: String
    public let members: [Member]

    /// What an interface declares.
    public enum Member: Hashable, Sendable {
        case type(TypeDeclaration)
        case method(Method)
        case error(ErrorDeclaration)

        public var name: String {
            switch self {
            case .type(let type): type.name
            case .method(let method): method.name
            case .error(let error): error.name
            }
        }
    }

    /// `type Name (…)`.
    public struct TypeDeclaration: Hashable, Sendable {
        public let name: String
        public let doc: String
        /// A structure or an enumeration.
        public let type: VarlinkType
    }

    /// `method Name(…) -> (…)`.
    public struct Method: Hashable, Sendable {
        /// Within the interface: `Due`.
        public let name: String
        public let doc: String
        public let parameters: [VarlinkType.Field]
        public let reply: [VarlinkType.Field]
    }

    /// `error Name (…)`.
    public struct ErrorDeclaration: Hashable, Sendable {
        public let name: String
        public let doc: String
        public let parameters: [VarlinkType.Field]
    }

    /// Parses the text of one interface. Every type that it names must be declared, no name twice.
    public init(parsing text: String) throws(VarlinkSyntaxError) {
        var parser = InterfaceParser(text)
        let parsed = try parser.interface()
        name = parsed.name
        doc = parsed.doc
        members = parsed.members
        self.text = text
    }

    public var types: [TypeDeclaration] {
        members.compactMap { if case .type(let type) = $0 { type } else { nil } }
    }

    public var methods: [Method] {
        members.compactMap { if case .method(let method) = $0 { method } else { nil } }
    }

    public var errors: [ErrorDeclaration] {
        members.compactMap { if case .error(let error) = $0 { error } else { nil } }
    }
}

/// A type of the interface language.
public indirect enum VarlinkType: Hashable, Sendable {
    case bool
    /// 64 bits, signed.
    case int
    case float
    case string
    /// Any JSON object.
    case object
    /// A type declared in the same interface.
    case named(String)
    /// One of these words, as a string.
    case enumeration([String])
    case structure([Field])
    /// `[]element`
    case array(VarlinkType)
    /// `[string]value`: an object whose values are all of one type.
    case dictionary(VarlinkType)
    /// `?value`: may be null or absent.
    case optional(VarlinkType)

    /// A member of a structure, a parameter of a method.
    public struct Field: Hashable, Sendable {
        public let name: String
        public let type: VarlinkType
        /// The comment before the field.
        public let doc: String

        public init(name: String, type: VarlinkType, doc: String = "") {
            self.name = name
            self.type = type
            self.doc = doc
        }
    }
}

/// A text that is no interface.
public struct VarlinkSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    public let line: Int
    public let message: String

    public var description: String { "line \(line): \(message)" }
}
