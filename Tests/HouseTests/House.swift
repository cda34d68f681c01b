import FoundationEssentials
import Testing

/// The files of this repository.
enum House {
    /// The top of the repository; this file lies three levels below it.
    static let root: String = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    /// Paths below the top, sorted.
    static func files(below folder: String, suffix: String) throws -> [String] {
        let all = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")
        return all.filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }.sorted()
    }

    static func swiftFiles(below folder: String) throws -> [String] {
        let files = try files(below: folder, suffix: ".swift")
        try #require(!files.isEmpty)
        return files
    }

    static func text(of file: String) throws -> String {
        try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
    }

    /// The text without its comments: whole lines, and what stands behind `//` on a line (strings with `//` lose their
    /// rest too, which hides nothing that is looked for here).
    static func code(of file: String) throws -> String {
        try text(of: file).split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let comment = line.firstRange(of: Array("//")) else { return line }
            return line[..<comment.lowerBound]
        }.joined(separator: "\n")
    }
}
