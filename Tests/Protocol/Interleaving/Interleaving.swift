import TenurePostgres

/// One way in which two transactions meet: the first is stopped at a point, the second runs as
/// far as it can, and then both go on to their ends.
struct Interleaving: Sendable {
    let first: Operation
    let second: Operation
    let point: LockPoint
    /// Whether they have rows in common, so that one that keeps its snapshot may be refused.
    var sharesRows = true
}

/// What came of it.
struct Outcome: Sendable {
    let trace: Trace
    /// Empty when all is well.
    let failures: [String]
}

extension Bench {
    /// Runs one; nil when the first transaction does not stop at the point.
    func run(_ interleaving: Interleaving) async throws -> Outcome? {
        try await reset(interleaving.first, interleaving.second)
        let a = Side("A", interleaving.first, sideA)
        let b = Side("B", interleaving.second, sideB)
        var trace = Trace(interleaving)
        switch interleaving.point {
        case .step(let count):
            guard try await meet(a, b, after: count, &trace) else { return nil }
        case .row(let row):
            guard try await meet(a, b, keeping: row.statement, &trace) else { return nil }
        case .gate(let name):
            try await sideA.query("SELECT set_config('probe.gate', $1, false)", [name])
            let met = try await meet(a, b, keeping: "SELECT pg_advisory_xact_lock(1)::text", &trace)
            try await sideA.query("SELECT set_config('probe.gate', '', false)")
            guard met else { return nil }
        }
        trace.end(a.state, b.state)
        let failures = try await inspect(a, b, trace, sharesRows: interleaving.sharesRows)
        return Outcome(trace: trace, failures: failures)
    }

    private func meet(
        _ a: Side, _ b: Side, after count: Int, _ trace: inout Trace
    ) async throws -> Bool {
        await a.start(steps: count)
        if a.state.isOver { return false }
        trace.note("A has run \(count) of \(a.operation.steps.count) steps")
        async let running: Void = b.run()
        trace.waits("B", try await settle(b))
        await a.finish(from: count)
        await running
        return true
    }

    private func meet(
        _ a: Side, _ b: Side, keeping lock: String, _ trace: inout Trace
    ) async throws -> Bool {
        try await keeper.simple("BEGIN")
        try await keeper.query(lock)
        async let first: Void = a.run()
        guard let blocker = try await settle(a) else {
            try await keeper.simple("ROLLBACK")
            await first
            return false
        }
        trace.waits("A", blocker)
        async let second: Void = b.run()
        trace.waits("B", try await settle(b))
        try await keeper.simple("ROLLBACK")
        trace.note("K lets go")
        await first
        await second
        return true
    }
}
