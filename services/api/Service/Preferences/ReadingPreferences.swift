import ApiStore
import Domain
import JSON

/// How a user wants texts to be read (api 2.11; enrich 1.2, 1.7, 2.3).
struct ReadingPreferences: Sendable {
    /// `ai_mode` or `ai_enrichment_mode` off: nobody reads.
    let isOn: Bool
    /// nil: the server's choice.
    let enricher: String?
    /// `none` or `builtin`.
    let fallback: String
    let syntax: String
    /// nil: by the zone.
    let dateOrder: String?
    /// False: fields are set, the title stays as typed.
    let stripsTitles: Bool
    /// What the user has written about himself; only for enrichers that want it.
    let context: String?
    /// How long an enricher has for a text.
    let timeoutMilliseconds: Int

    init(_ stored: [String: JSONValue]) {
        isOn = stored["ai_mode"]?.string != "off" && stored["ai_enrichment_mode"]?.string != "off"
        enricher = stored["enricher"]?.string
        fallback = stored["enrich_fallback"]?.string ?? "none"
        syntax = stored["quick_add_syntax"]?.string ?? "todoist"
        dateOrder = stored["date_order"]?.string
        stripsTitles = stored["strip_titles"]?.bool ?? true
        context = stored["ai_context"]?.string
        timeoutMilliseconds = Int(stored["ai_enrichment_timeout_ms"]?.int ?? 60_000)
    }
}

extension Snapshot {
    func readingPreferences(of user: UserID) throws -> ReadingPreferences {
        ReadingPreferences(try storedPreferences(of: user))
    }
}
