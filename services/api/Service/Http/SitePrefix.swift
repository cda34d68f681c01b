import HTTPServer

extension HTTPRequest {
    /// Where this site begins on its host, without a slash at the end: `/tasks` behind a proxy that says so in
    /// `X-Forwarded-Prefix`, empty for the whole host. Before every path in an answer that a browser goes to, and the
    /// path of every cookie.
    ///
    /// - Throws: 400 for what is no path, or for two of them: a path that a browser reads as another host, or that adds
    ///   to a cookie's attributes, would come back in our answer.
    func sitePrefix() throws(Failure) -> String {
        let values = headers("X-Forwarded-Prefix")
        guard var prefix = values.first else { return "" }
        while prefix.hasSuffix("/") { prefix.removeLast() }
        guard values.count == 1, Self.isPrefix(prefix) else {
            throw .invalid("X-Forwarded-Prefix must be one path, such as /tasks")
        }
        return prefix
    }

    /// Segments of unreserved characters (RFC 3986 section 2.3) alone.
    private static func isPrefix(_ text: String) -> Bool {
        if text.isEmpty { return true }
        let segments = text.split(separator: "/", omittingEmptySubsequences: false)
        return text.utf8.count <= 200 && text.hasPrefix("/")
            && segments.dropFirst().allSatisfy { segment in
                !segment.isEmpty && segment != "." && segment != ".."
                    && segment.utf8.allSatisfy { byte in
                        switch byte {
                        case 48...57, 65...90, 97...122, 45, 46, 95, 126: true
                        default: false
                        }
                    }
            }
    }
}
