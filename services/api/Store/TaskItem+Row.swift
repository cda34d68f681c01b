import Domain
import JSON
import SQLite
import Time

/// Rows of `task` to items and back. The columns are those of `TaskField`, in its order, behind the fixed ones.
extension TaskItem {
    static let fixedColumns = "id, version, user_id, created_at, updated_at"
    static let columns = fixedColumns + ", " + TaskField.allCases.map(\.rawValue).joined(separator: ", ")

    init(row: Row) {
        self.init(
            id: ID(rawValue: row.int(0)), owner: UserID(rawValue: row.int(2)),
            project: ProjectID(rawValue: row.int(5)), title: row.text(6),
            createdAt: Instant(seconds: row.int(3)))
        version = Int(row.int(1))
        updatedAt = Instant(seconds: row.int(4))
        // Most fields of most tasks are null: what a new item has already is not set again.
        for (index, field) in TaskField.allCases.enumerated() {
            let column = index + 5
            if row.isNull(column) { continue }
            switch field {
            case .project, .title: continue
            case .labels:
                let text = row.text(column)
                if text != "[]" { labels = LabelList.decode(text) }
            default:
                switch field.storage {
                case .integer: self[field] = .int(row.int(column))
                case .text: self[field] = .text(row.text(column))
                }
            }
        }
    }
}

extension TaskField {
    enum Storage { case integer, text }

    /// The type of the column.
    var storage: Storage {
        switch self {
        case .title, .originalTitle, .shortTitle, .notes, .targetSource, .rrule, .recurrenceMode, .anchorTime,
            .ruleStart, .shortMonths, .horizon, .segmentConsideredOn, .segmentDeferredOn, .labels,
            .quotaPromptConfig, .quotaDayState:
            .text
        case .project, .priority, .target, .originalTarget, .deadline, .deadlineAllDay, .anchorWeekday,
            .anchorDayOfMonth, .repeatInterval, .isReminder, .isTracked, .progressTarget, .progressCurrent,
            .progressPeriodStart, .done, .doneAt, .archivedAt, .deletedAt, .completionCount, .snoozeCount,
            .skipCount, .firstCompletedAt, .lastCompletedAt:
            .integer
        }
    }
}

extension FieldValue {
    /// As the column keeps it.
    var sql: SQLValue {
        switch self {
        case .null: .null
        case .int(let value): .int(value)
        case .text(let value): .text(value)
        case .list(let names): .text(LabelList.encode(names))
        }
    }

    /// As undo entries keep it.
    var json: JSONValue {
        switch self {
        case .null: .null
        case .int(let value): .int(value)
        case .text(let value): .string(value)
        case .list(let names): .array(names.map(JSONValue.string))
        }
    }

    init(json: JSONValue) {
        switch json {
        case .int(let value): self = .int(value)
        case .string(let value): self = .text(value)
        case .array(let values): self = .list(values.compactMap(\.string))
        default: self = .null
        }
    }
}

/// The `labels` column: a JSON array of names.
enum LabelList {
    static func encode(_ names: [String]) -> String {
        var writer = JSONWriter(capacity: 64)
        writer.array { writer in for name in names { writer.value(name) } }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func decode(_ text: String) -> [String] {
        // The column's CHECK keeps it valid JSON; anything but an array of names reads as no labels.
        guard let value = try? JSONValue(parsing: Array(text.utf8)) else { return [] }
        return value.array?.compactMap(\.string) ?? []
    }
}
