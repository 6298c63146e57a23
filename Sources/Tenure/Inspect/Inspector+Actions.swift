import TenureFoundation
import TenurePostgres

extension Inspector {
    /// What operators have done, the newest first, as long as it is kept
    /// (`CoordinatorConfiguration.keepActions`).
    public func actions(_ filter: ActionFilter = ActionFilter()) async throws -> [OperatorAction] {
        try await pool.ask(ListActions(filter: filter))
    }
}

extension JobFilter {
    /// As the audit log shows it.
    var shown: PayloadValue {
        var fields: [String: PayloadValue] = [:]
        fields["kind"] = kind.map { .text($0.rawValue) }
        fields["queue"] = queue.map { .text($0.rawValue) }
        fields["key"] = key.map { .text($0) }
        fields["batch"] = batch.map { .text($0.uuidString.lowercased()) }
        fields["olderThanSeconds"] = olderThan.map { .number($0.inSeconds) }
        fields["error"] = error.map { .text($0) }
        if !tags.isEmpty { fields["tags"] = .array(tags.map { .text($0) }) }
        fields["payload"] = payload.map { .text($0) }
        fields["due"] = isDue.map { .bool($0) }
        if !states.isEmpty {
            fields["states"] = .array(states.map(\.rawValue).sorted().map { .text($0) })
        }
        if finished { fields["history"] = .bool(true) }
        return .object(fields)
    }
}
