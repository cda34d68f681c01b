/// The OpenAPI document of this server (A2), put together once from the fragments of `OpenAPI/`, whose head says how.
public enum OpenAPIDocument {
    /// YAML.
    public static let text: String = assemble(head: PackageResources.openapi_yaml, fragments: fragments)

    /// One file per subject, in the order in which their paths are shown.
    private static let fragments: [[UInt8]] = [
        PackageResources.common_yaml,
        PackageResources.system_yaml,
        PackageResources.signin_yaml,
        PackageResources.task_yaml,
        PackageResources.tasks_yaml,
        PackageResources.snooze_yaml,
        PackageResources.single_yaml,
        PackageResources.bulk_yaml,
        PackageResources.reminders_yaml,
        PackageResources.segments_yaml,
        PackageResources.periods_yaml,
        PackageResources.quota_yaml,
        PackageResources.labels_yaml,
        PackageResources.projects_yaml,
        PackageResources.tokens_yaml,
        PackageResources.trash_yaml,
        PackageResources.statistics_yaml,
        PackageResources.undo_yaml,
        PackageResources.review_yaml,
        PackageResources.preferences_yaml,
        PackageResources.enrich_yaml,
        PackageResources.ai_yaml,
        PackageResources.notifications_yaml,
        PackageResources.push_yaml,
        PackageResources.webhooks_yaml,
        PackageResources.live_yaml,
        PackageResources.reports_yaml,
    ]

    /// `paths:` of each fragment to the paths, every other top-level key to the components, lines of comment to nobody.
    private static func assemble(head: [UInt8], fragments: [[UInt8]]) -> String {
        var paths: [Substring] = []
        var components: [(name: Substring, lines: [Substring])] = []
        for fragment in fragments {
            var section: Substring = ""
            for line in lines(fragment) {
                guard line.first == " " else {
                    section = line
                    continue
                }
                if section == "paths:" {
                    paths.append(line)
                } else if let index = components.firstIndex(where: { $0.name == section }) {
                    components[index].lines.append(line)
                } else {
                    components.append((section, [line]))
                }
            }
        }
        var document = lines(head).map(String.init) + ["paths:"] + paths.map(String.init) + ["components:"]
        for (name, lines) in components {
            document.append("  \(name)")
            document += lines.map { "  \($0)" }
        }
        return document.joined(separator: "\n") + "\n"
    }

    private static func lines(_ file: [UInt8]) -> [Substring] {
        String(decoding: file, as: UTF8.self).split(separator: "\n").filter { $0.first != "#" }
    }
}
