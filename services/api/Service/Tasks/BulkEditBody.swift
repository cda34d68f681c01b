import Domain
import Time

extension Fields {
    /// The body of A32.
    func bulkEdit(zone: Zone) throws(Failure) -> BulkEditRequest {
        var request = BulkEditRequest(ids: try taskIDs("ids"))
        guard let changes = try optionalObject("changes") else { throw refuse("changes", "is required") }
        request.patch = try changes.patch(zone: zone)
        request.labels = request.patch.labels
        request.patch.labels = nil
        request.promptConfig = request.patch.quotaPromptConfig
        request.patch.quotaPromptConfig = nil
        request.labelsRemoved = try changes.optionalStrings("labels_remove") ?? []
        request.labelsAdded = try changes.optionalLabels("labels_add") ?? []
        request.createLabels = try changes.optionalBool("create_label") ?? false
        request.deltaMinutes = try deltaMinutes()
        if request.deltaMinutes != nil, changes.has("due_at") {
            throw refuse("delta_minutes", "does not go with changes.due_at")
        }
        request.dated = try taskIDSet("date_task_ids")
        request.included = try taskIDSet("include_task_ids") ?? []
        request.rules = try rules(of: Set(request.ids))
        return request
    }

    /// `per_task`: a map of ids to `{rrule}`, strict.
    private func rules(of ids: Set<TaskItem.ID>) throws(Failure) -> [TaskItem.ID: String?] {
        guard let map = try optionalObject("per_task") else { return [:] }
        var rules: [TaskItem.ID: String?] = [:]
        for key in map.members.keys {
            guard let number = Int64(key), String(number) == key,
                ids.contains(TaskItem.ID(rawValue: number)), let own = try map.optionalObject(key)
            else { throw map.refuse(key, "must be one of ids, with an object") }
            for name in own.members.keys where name != "rrule" { throw own.refuse(name, "is not known here") }
            guard own.has("rrule") else { throw own.refuse("rrule", "is required") }
            rules.updateValue(try own.optionalString("rrule"), forKey: TaskItem.ID(rawValue: number))
        }
        return rules
    }
}
