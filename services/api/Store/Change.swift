public import Domain
public import Time

/// One action of one person, whatever it touched: the unit of undo, of the event stream and of what is told outside.
public struct Change: Sendable {
    /// What an entry of the undo history says was done (2.16).
    public enum Action: String, Sendable {
        case create, edit, delete, restore, snooze, done, undone, progress, skip
        case bulkDone = "bulk_done"
        case bulkSnooze = "bulk_snooze"
        case bulkEdit = "bulk_edit"
        case bulkDelete = "bulk_delete"
        case periodEdit = "time_slot_edit"
        case periodDelete = "time_slot_delete"
        case quotaPrompt = "quota_prompt"
        /// the system's own, in no entry.
        case rollover
    }

    /// What a day counts (C-5).
    public enum Statistic: String, Sendable {
        case completions
        case tasksCreated = "tasks_created"
        case snoozes
    }

    /// Who acted; undo follows him (L-12).
    public var actor: UserID
    public var action: Action
    /// U-12: made now, shown unchanged by receipt, history and undo.
    public var description: String
    public var items: [ItemChange]
    /// What else changed; all of it the actor's.
    public var rows: [RowChange] = []
    /// How many of the items count for the actor's day; nil = none.
    public var statistic: (kind: Statistic, count: Int)?
    /// The day that they count for; nil: the actor's present local date (C-5).
    public var statisticDate: LocalDate?
    /// False for what belongs to an earlier action or to the system: no entry, no redo lost.
    public var isUndoable = true
    /// False for what follows from a setting: webhooks are told what people do to items (api section 5).
    public var isToldToWebhooks = true
    /// an entry is made even if nothing changed, so that the next undo undoes this call and nothing older.
    public var isAlwaysEntered = false

    public init(actor: UserID, action: Action, description: String, items: [ItemChange]) {
        self.actor = actor
        self.action = action
        self.description = description
        self.items = items
    }
}

/// One item before and after.
public struct ItemChange: Sendable {
    /// nil for an item that is made.
    public var before: TaskItem?
    public var after: TaskItem
    /// A completion that goes with it.
    public var completion: NewCompletion?
    /// The id of the row that it had before, when undo or redo makes it again: other entries know it by that.
    var completionID: Int64?
    /// A completion that is taken back with it (C-7, C-8).
    public var removesCompletion: Int64?
    /// What is logged with it; nil: what the count moves by.
    var progress: [ProgressRow]?
    /// A row of it that is taken back.
    var removesProgress: Int64?

    public init(_ before: TaskItem?, _ after: TaskItem, completion: NewCompletion? = nil) {
        self.before = before
        self.after = after
        self.completion = completion
    }
}

/// A completion that is to be recorded.
public struct NewCompletion: Hashable, Sendable {
    public var completedAt: Instant
    public var targetWas: Instant?
    public var targetNext: Instant?

    public init(completedAt: Instant, targetWas: Instant?, targetNext: Instant?) {
        self.completedAt = completedAt
        self.targetWas = targetWas
        self.targetNext = targetNext
    }
}
