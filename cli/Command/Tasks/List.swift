import JSON

/// `opentask list`
public struct List: Subcommand {
    public let words = ["list"]
    public let summary = "Print the open tasks, those over target first"
    public let details = "Times are in your own zone; a star marks what is over target."
    public let options =
        Which.any + [
            Which.json, Option("search", "TEXT", help: "only those with this in title or notes"),
            Option("limit", "N", help: "at most so many, 1 to 1000 (200)"),
            Option("offset", "N", help: "leave out so many at the beginning"),
        ]

    public init() {}

    public func run(_ call: Invocation) throws {
        let api = try Api(call)
        var query: [String] = []
        if let search = call.option("search") { query.append("search=\(percentEncoded(search))") }
        for name in ["limit", "offset"] {
            guard let text = call.option(name) else { continue }
            guard let number = Int(text), number >= 0 else {
                throw CommandFailure.usage("--\(name) wants a number")
            }
            query.append("\(name)=\(number)")
        }
        let path = "/api/tasks" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        let answer = try api.send("GET", path)
        if call.wantsJSON { return call.print(text(answer)) }
        let tasks = answer["tasks"]?.array ?? []
        guard !tasks.isEmpty else { return call.print("Nothing to do.") }
        let line = try TaskLine(api)
        call.print(tasks.map(line.text).joined(separator: "\n"))
    }
}

/// For a query: everything but letters, digits and `-._~` as %XX (RFC 3986 section 2).
func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return text.utf8.reduce(into: "") { encoded, byte in
        let character = Character(Unicode.Scalar(byte))
        if byte < 128, character.isLetter || character.isNumber || "-._~".contains(character) {
            encoded.append(character)
        } else {
            encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }
    }
}
