import TenurePostgres

extension Bench {
    /// The points at which an operation may stop, found by running it alone: after each of its
    /// steps, at each row that it holds in the end, at each gate that it passes. Rows that it
    /// skips when they are locked are sorted out when it is run.
    func points(of operation: Operation) async throws -> [LockPoint] {
        try await reset(operation)
        try await sideA.query("SELECT set_config('probe.visits', ',', false)")
        let alone = Side("A", operation, sideA)
        await alone.start(steps: operation.steps.count)
        let rows = try await keeper.query("SELECT name, statement FROM probe.locked()") { row in
            LockedRow(name: try row.decode(0), statement: try row.decode(1))
        }
        await alone.finish(from: operation.steps.count)
        let visits = try await sideA.query(
            "SELECT current_setting('probe.visits')"
        ) { try $0.decode(0, as: String.self) }[0]
        try await sideA.query("SELECT set_config('probe.visits', '', false)")
        let gates = Set(visits.split(separator: ",").map(String.init))
        return (1...operation.steps.count).map(LockPoint.step)
            + (rows + operation.alsoWaitsFor.map(LockedRow.init)).map(LockPoint.row)
            + gates.sorted().map(LockPoint.gate)
    }
}
