import TenurePostgres

/// What an operation does when it is alone: where it may stop, and what it touches.
struct Footprint: Sendable {
    let operation: Operation
    let points: [LockPoint]
    let rows: Set<String>
    let fails: Bool

    /// Whether the two have a row in common. Two that have none are run with each other once
    /// only, before A's COMMIT; whoever locks a table meets everybody.
    func meets(_ other: Footprint) -> Bool {
        operation.name == other.operation.name || !rows.isDisjoint(with: other.rows)
            || operation.locksTables || other.operation.locksTables
    }

    /// Whether the two change or lock the same rows: only then may one that keeps its snapshot be
    /// refused.
    func sharesRows(with other: Footprint) -> Bool {
        operation.name == other.operation.name || !rows.isDisjoint(with: other.rows)
    }

    /// The points at which the other is let in.
    func points(against other: Footprint) -> [LockPoint] {
        meets(other) ? points : [lastStep]
    }

    /// One that fails in its last step is stopped before it, if it has another.
    private var lastStep: LockPoint {
        .step(fails ? max(1, operation.steps.count - 1) : operation.steps.count)
    }
}

extension Bench {
    /// Runs an operation alone. It may stop after each of its steps, at each row that it holds in
    /// the end, at each gate that it passes. Rows that it skips when they are locked are sorted
    /// out when it is run.
    func footprint(of operation: Operation) async throws -> Footprint {
        try await reset(operation)
        try await sideA.query("SELECT set_config('probe.visits', ',', false)")
        let alone = Side("A", operation, sideA)
        await alone.start(steps: operation.steps.count)
        let rows = try await lockedRows() + operation.alsoWaitsFor.map(LockedRow.init)
        await alone.finish(from: operation.steps.count)
        let gates = try await visitedGates()
        return Footprint(
            operation: operation,
            points: operation.steps.indices.map { LockPoint.step($0 + 1) }
                + rows.map(LockPoint.row) + gates.map(LockPoint.gate),
            rows: Set(rows.map(\.name) + operation.makes),
            fails: !alone.state.hasCommitted)
    }

    private func lockedRows() async throws -> [LockedRow] {
        try await keeper.query("SELECT name, statement FROM probe.locked()") { row in
            LockedRow(name: try row.decode(0), statement: try row.decode(1))
        }
    }

    private func visitedGates() async throws -> [String] {
        let visits = try await sideA.query(
            "SELECT current_setting('probe.visits')"
        ) { try $0.decode(0, as: String.self) }[0]
        try await sideA.query("SELECT set_config('probe.visits', '', false)")
        return Set(visits.split(separator: ",").map(String.init)).sorted()
    }
}
