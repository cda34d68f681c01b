/// Recursive descent over the grammar of https://varlink.org/Interface-Definition.
struct InterfaceParser {
    typealias Parsed = (name: String, doc: String, members: [VarlinkInterface.Member])

    private let text: [UInt8]
    private var position = 0
    /// The comment lines directly before `position`.
    private var comments: [String] = []
    /// Types named so far, and where: they may be declared further down.
    private var references: [(name: String, position: Int)] = []
    private var depth = 0

    /// Types within types. No interface of people has a tenth of it; it keeps a hostile text from the stack's end.
    private static let mostDepth = 64

    init(_ text: String) { self.text = Array(text.utf8) }

    mutating func interface() throws(VarlinkSyntaxError) -> Parsed {
        skipSpace()
        let doc = takeComments()
        try keyword("interface")
        let name = try interfaceName()
        var members: [VarlinkInterface.Member] = []
        var names: Set<String> = []
        while true {
            skipSpace()
            if position == text.count { break }
            let start = position
            let member = try self.member()
            guard names.insert(member.name).inserted else {
                throw failure("\(member.name) is declared twice", at: start)
            }
            members.append(member)
        }
        guard !members.isEmpty else { throw failure("an interface without members") }
        let types = Set(members.compactMap { if case .type(let type) = $0 { type.name } else { nil } })
        for reference in references where !types.contains(reference.name) {
            throw failure("no type \(reference.name)", at: reference.position)
        }
        return (name, doc, members)
    }

    private mutating func member() throws(VarlinkSyntaxError) -> VarlinkInterface.Member {
        let doc = takeComments()
        let start = position
        switch takeWord() {
        case "type":
            let name = try memberName()
            return .type(.init(name: name, doc: doc, type: try structureOrEnumeration()))
        case "method":
            let name = try memberName()
            let parameters = try structure()
            try token("->")
            return .method(.init(name: name, doc: doc, parameters: parameters, reply: try structure()))
        case "error":
            let name = try memberName()
            return .error(.init(name: name, doc: doc, parameters: try structure()))
        default: throw failure("expected type, method or error", at: start)
        }
    }

    private mutating func type() throws(VarlinkSyntaxError) -> VarlinkType {
        depth += 1
        defer { depth -= 1 }
        guard depth <= InterfaceParser.mostDepth else { throw failure("types are nested too deeply") }
        if take("?") {
            skipSpace()
            guard peek != UInt8(ascii: "?") else { throw failure("optional twice") }
            return .optional(try type())
        }
        if take("[") {
            skipSpace()
            if take("]") {
                skipSpace()
                return .array(try type())
            }
            guard takeWord() == "string" else { throw failure("expected [] or [string]") }
            try token("]")
            skipSpace()
            return .dictionary(try type())
        }
        if peek == UInt8(ascii: "(") { return try structureOrEnumeration() }
        let start = position
        let word = takeWord()
        switch word {
        case "bool": return .bool
        case "int": return .int
        case "float": return .float
        case "string": return .string
        case "object": return .object
        default:
            guard InterfaceParser.isMemberName(word) else { throw failure("expected a type", at: start) }
            references.append((word, start))
            return .named(word)
        }
    }

    private mutating func structure() throws(VarlinkSyntaxError) -> [VarlinkType.Field] {
        let start = position
        guard case .structure(let fields) = try structureOrEnumeration() else {
            throw failure("an enumeration where fields belong", at: start)
        }
        return fields
    }

    /// `(a, b)` or `(a: int, b: string)`; `()` is a structure.
    private mutating func structureOrEnumeration() throws(VarlinkSyntaxError) -> VarlinkType {
        try token("(")
        var fields: [VarlinkType.Field] = []
        var words: [String] = []
        var names: Set<String> = []
        skipSpace()
        if take(")") { return .structure([]) }
        while true {
            skipSpace()
            let doc = takeComments()
            let start = position
            let name = takeWord()
            guard InterfaceParser.isFieldName(name) else { throw failure("expected a name", at: start) }
            guard names.insert(name).inserted else { throw failure("\(name) twice", at: start) }
            skipSpace()
            if take(":") {
                skipSpace()
                fields.append(.init(name: name, type: try type(), doc: doc))
            } else {
                words.append(name)
            }
            guard fields.isEmpty || words.isEmpty else {
                throw failure("a field without a type, or an enumeration with one", at: start)
            }
            skipSpace()
            if take(")") { return words.isEmpty ? .structure(fields) : .enumeration(words) }
            try token(",")
        }
    }

    // MARK: Names

    /// `[A-Z][A-Za-z0-9]*`
    private mutating func memberName() throws(VarlinkSyntaxError) -> String {
        skipSpace()
        let start = position
        let name = takeWord()
        guard InterfaceParser.isMemberName(name) else {
            throw failure("expected a name with a capital", at: start)
        }
        return name
    }

    private static func isMemberName(_ name: String) -> Bool {
        guard let first = name.utf8.first, isUpper(first) else { return false }
        return name.utf8.allSatisfy(isAlphanumeric)
    }

    /// `[A-Za-z](_?[A-Za-z0-9])*`
    private static func isFieldName(_ name: String) -> Bool {
        guard let first = name.utf8.first, isUpper(first) || isLower(first) else { return false }
        var underscore = false
        for byte in name.utf8 {
            if byte == UInt8(ascii: "_"), underscore { return false }
            underscore = byte == UInt8(ascii: "_")
        }
        return !underscore
    }

    /// `[A-Za-z]([-]*[A-Za-z0-9])*(\.[A-Za-z0-9]([-]*[A-Za-z0-9])*)+`
    private mutating func interfaceName() throws(VarlinkSyntaxError) -> String {
        skipSpace()
        let start = position
        while let byte = peek,
            InterfaceParser.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        {
            position += 1
        }
        let name = text[start..<position]
        let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isName =
            parts.count >= 2
            && parts.allSatisfy { part in
                guard let first = part.first, let last = part.last else { return false }
                return InterfaceParser.isAlphanumeric(first) && InterfaceParser.isAlphanumeric(last)
            }
        guard isName, let first = name.first, InterfaceParser.isUpper(first) || InterfaceParser.isLower(first)
        else {
            throw failure("expected the interface's name", at: start)
        }
        return String(decoding: name, as: UTF8.self)
    }

    private static func isUpper(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
    private static func isLower(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "a") < 26 }
    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isLower(byte) || isUpper(byte) || byte &- UInt8(ascii: "0") < 10
    }

    // MARK: Tokens

    private var peek: UInt8? { position < text.count ? text[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func token(_ token: String) throws(VarlinkSyntaxError) {
        skipSpace()
        guard text[position...].starts(with: token.utf8) else { throw failure("expected \(token)") }
        position += token.utf8.count
    }

    private mutating func keyword(_ word: String) throws(VarlinkSyntaxError) {
        skipSpace()
        let start = position
        guard takeWord() == word else { throw failure("expected \(word)", at: start) }
    }

    /// Letters, digits and underscores from here on; may be empty.
    private mutating func takeWord() -> String {
        let start = position
        while let byte = peek, InterfaceParser.isAlphanumeric(byte) || byte == UInt8(ascii: "_") {
            position += 1
        }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    /// Passes over blanks, line ends and comments. What comes next is documented by the comment lines right above it;
    /// an empty line cuts them off, and so does a declaration on whose line a comment stands.
    private mutating func skipSpace() {
        var lineEnds = 0
        var startsLine = position == 0
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\n"):
                lineEnds += 1
                startsLine = true
                if lineEnds > 1 { comments = [] }
                position += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "#"):
                let end =
                    text[position...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
                    ?? text.count
                var line = text[(position + 1)..<end]
                if line.first == UInt8(ascii: " ") { line = line.dropFirst() }
                while line.last == UInt8(ascii: " ") || line.last == UInt8(ascii: "\t") {
                    line = line.dropLast()
                }
                if startsLine { comments.append(String(decoding: line, as: UTF8.self)) }
                lineEnds = 0
                position = end
            default:
                return
            }
        }
    }

    private mutating func takeComments() -> String {
        defer { comments = [] }
        return comments.joined(separator: "\n")
    }

    private func failure(_ message: String, at position: Int? = nil) -> VarlinkSyntaxError {
        let line = 1 + text[..<(position ?? self.position)].count { $0 == UInt8(ascii: "\n") }
        return VarlinkSyntaxError(line: line, message: message)
    }
}
