import TenurePostgres

/// Who waits for whom, by the names of the sides.
struct FindBlockers: PostgresStatement {
    static let sql = """
        SELECT coalesce(array_agg(b), '{}') FROM unnest(pg_blocking_pids($1)) AS b
        """
    let processID: Int32

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(processID) }
    static func decode(_ row: borrowing PostgresRow) throws -> [Int32] { try row.decode(0) }
}

extension Bench {
    /// Returns when a side is over, or waits for somebody who will not move on by himself: the
    /// name of that one.
    func settle(_ side: Side) async throws -> String? {
        let names = [
            keeper.processID: "K", sideA.processID: "A", sideB.processID: "B",
        ]
        var polls = 0
        while !side.state.isOver {
            let blockers = try await watcher.execute(
                FindBlockers(processID: side.connection.processID))[0]
            let known = blockers.compactMap { names[$0] }
            if !known.isEmpty && !side.state.isOver { return known.joined(separator: "+") }
            polls += 1
            if polls > 20 { try await Task.sleep(for: .milliseconds(1)) }
            await Task.yield()
        }
        return nil
    }
}
