extension VarlinkInterface {
    /// The interface in its canonical form, with the comments that document something. Parses back to the same members.
    public func formatted() -> String {
        var text = InterfaceText.comment(doc, indent: "")
        text += "interface \(name)\n"
        for member in members {
            text += "\n"
            switch member {
            case .type(let type):
                text += InterfaceText.comment(type.doc, indent: "")
                text += "type \(type.name) " + InterfaceText.type(type.type, column: 6 + type.name.utf8.count)
            case .method(let method):
                text += InterfaceText.comment(method.doc, indent: "")
                text += InterfaceText.method(method)
            case .error(let error):
                text += InterfaceText.comment(error.doc, indent: "")
                text += "error \(error.name) "
                text += InterfaceText.type(.structure(error.parameters), column: 7 + error.name.utf8.count)
            }
            text += "\n"
        }
        return text
    }
}

/// Pieces of an interface's canonical text.
private enum InterfaceText {
    /// A structure that would end beyond this column is written one field per line.
    static let width = 80

    static func comment(_ doc: String, indent: String) -> String {
        if doc.isEmpty { return "" }
        return doc.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "\(indent)#\n" : "\(indent)# \($0)\n" }.joined()
    }

    static func method(_ method: VarlinkInterface.Method) -> String {
        let start = "method \(method.name)"
        let parameters = VarlinkType.structure(method.parameters)
        let reply = VarlinkType.structure(method.reply)
        if let first = onOneLine(parameters), let second = onOneLine(reply) {
            let line = "\(start)\(first) -> \(second)"
            if line.utf8.count <= width { return line }
        }
        let first = type(parameters, column: start.utf8.count)
        let lastLine = first.utf8.reversed().prefix { $0 != UInt8(ascii: "\n") }.count
        return "\(start)\(first) -> " + type(reply, column: lastLine + 4)
    }

    static func type(_ type: VarlinkType, column: Int, indent: String = "") -> String {
        if let line = onOneLine(type), column + line.utf8.count <= width { return line }
        switch type {
        case .structure(let fields):
            let inner = indent + "  "
            let lines = fields.map { field in
                let start = "\(inner)\(field.name): "
                return comment(field.doc, indent: inner) + start
                    + self.type(field.type, column: start.utf8.count, indent: inner)
            }
            return "(\n" + lines.joined(separator: ",\n") + "\n\(indent))"
        case .enumeration(let words):
            return "(\n" + words.map { "\(indent)  \($0)" }.joined(separator: ",\n") + "\n\(indent))"
        case .array(let element): return "[]" + self.type(element, column: column + 2, indent: indent)
        case .dictionary(let value): return "[string]" + self.type(value, column: column + 8, indent: indent)
        case .optional(let value): return "?" + self.type(value, column: column + 1, indent: indent)
        default: return onOneLine(type) ?? ""
        }
    }

    /// nil when a field has a comment, which needs a line of its own.
    static func onOneLine(_ type: VarlinkType) -> String? {
        switch type {
        case .bool: return "bool"
        case .int: return "int"
        case .float: return "float"
        case .string: return "string"
        case .object: return "object"
        case .named(let name): return name
        case .enumeration(let words): return "(" + words.joined(separator: ", ") + ")"
        case .array(let element): return onOneLine(element).map { "[]" + $0 }
        case .dictionary(let value): return onOneLine(value).map { "[string]" + $0 }
        case .optional(let value): return onOneLine(value).map { "?" + $0 }
        case .structure(let fields):
            var parts: [String] = []
            for field in fields {
                guard field.doc.isEmpty, let type = onOneLine(field.type) else { return nil }
                parts.append("\(field.name): \(type)")
            }
            return "(" + parts.joined(separator: ", ") + ")"
        }
    }
}
