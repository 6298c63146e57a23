import TenureFoundation
import TenurePostgres

extension Bench {
    /// Errors that an operation may end with: late, the session is over, and so is the batch.
    private static let expected: Set<String> = ["TN001", "TN002", "TN004"]

    /// What is wrong after both are over, and after the dead have been reclaimed.
    func inspect(
        _ a: Side, _ b: Side, _ trace: Trace, sharesRows: Bool
    ) async throws -> [String] {
        var failures: [String] = []
        for side in [a, b] {
            guard let failure = side.state.failure else { continue }
            if side.operation.isolation != nil, side.state.sqlState == "40001" {
                if !sharesRows { failures.append("\(side.name) was refused for nothing") }
                continue
            }
            let gaveUp = side.operation.locksTables && side.state.sqlState == "55P03"
            let isTooLate =
                side.state.sqlState == "TN003" && (side === a ? b : a).operation.forgets
            let closesCircle =
                side.state.sqlState == "TN003" && a.operation.closesCircle
                && b.operation.closesCircle && failure.contains("in a circle")
            let isExpected = Self.expected.contains(side.state.sqlState ?? "")
            if !gaveUp && !isTooLate && !closesCircle && !isExpected {
                failures.append("\(side.name) failed: \(failure)")
            }
        }
        if a.operation.isUsers, !b.operation.waitsForUsers, trace.blockerOfB == "A" {
            failures.append("B waits for a user's open transaction")
        }
        if a.operation.strands || b.operation.strands {
            try await keeper.query("SELECT tenure.sweep_waiting(NULL, 100)")
        }
        try await keeper.query("SELECT probe.settle()")
        failures += try await violations(a, b)
        if try await keeper.query("SELECT tenure.reclaim_runs(100)") > 0, failures.isEmpty {
            failures += try await violations(a, b).map { "after a reclaim: \($0)" }
        }
        failures += try await keeper.query(
            """
            SELECT 'a dead session keeps job ' || j.id FROM tenure.session s
            JOIN tenure.job j ON j.session_id = s.id WHERE s.ended_at IS NOT NULL
            """
        ) { try $0.decode(0, as: String.self) }
        return failures
    }

    private func violations(_ a: Side, _ b: Side) async throws -> [String] {
        let committed = [a, b].filter(\.state.hasCommitted)
        let answers = committed.flatMap { side in
            side.state.answers.map { (side: side.name, text: $0) }
        }
        let said = answers.compactMap { answer -> String? in
            guard answer.text.hasPrefix("said ") else { return nil }
            let words = answer.text.split(separator: " ")
            return "\(answer.side) \(words[1]) \(words[2])"
        }
        func ids(_ result: String) -> [UUID] {
            answers.flatMap { answer in
                answer.text.split(separator: ", ").compactMap { part -> UUID? in
                    guard part.contains("\(result) ") else { return nil }
                    return UUID(uuidString: String(part.suffix(36)))
                }
            }
        }
        return try await keeper.query(
            "SELECT name || ': ' || detail FROM probe.violations($1, $2, $3)",
            [said, ids("enqueued"), ids("kept")]
        ) { try $0.decode(0, as: String.self) }
    }
}
