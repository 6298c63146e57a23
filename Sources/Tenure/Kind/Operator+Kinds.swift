import TenurePostgres

extension Operator {
    /// No job of the kind starts any more, in any queue; those that run go on.
    /// - Parameter reason: for those who look later: 1024 characters at most.
    /// - Throws: `TenureError` with `.invalidJob` for a name or a reason that can't be kept.
    public func pause(kind: JobKind, because reason: String? = nil) async throws {
        try JobLimits.check(name: kind.rawValue, of: "kind", longest: JobLimits.longestName)
        let reason = try reason.flatMap { try ReasonText.checked($0) }
        _ = try await client.pool.change(
            PauseKind(kind: kind, whom: whom, reason: reason),
            noted: doer.action(
                "pause", "kind", ["name": .text(kind.rawValue)], because: reason))
    }

    /// - Returns: whether it was paused.
    @discardableResult
    public func resume(kind: JobKind) async throws -> Bool {
        let rows = try await client.pool.change(
            ResumeKind(kind: kind),
            noted: doer.action("resume", "kind", ["name": .text(kind.rawValue)]))
        guard let queues = rows.first else { return false }
        await wakeUp(Set(queues))
        return true
    }
}

extension Inspector {
    /// Every kind that is or was paused, has a job or a live worker, by name.
    /// - Parameter most: how many of the jobs that wait are counted, the newest of them, 1 to
    ///   100,000; nil: all. Where there are more (``KindStatus/pendingIsAtLeast``), a kind that has
    ///   neither a row nor a worker, and only older jobs, is missing.
    public func kinds(countingTo most: Int? = nil) async throws -> [KindStatus] {
        try await pool.ask(ListKinds(most: most))
    }

    /// The kinds that no worker claims.
    public func pausedKinds() async throws -> [PausedKind] {
        try await pool.ask(ListPausedKinds())
    }
}
