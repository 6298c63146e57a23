import Tenure

/// Looks at a restored database and mends it.
struct RestoredDatabase: Sendable {
    let pool: PostgresPool
    /// How far past the largest number known the sequences are set.
    let ahead: Int64

    /// It reads all of history.
    private static let patience: Duration = .seconds(1800)

    func look(plansToMend: Bool) async throws -> RestoreReport {
        try await report(pool, plansToMend ? .planned : .checked)
    }

    /// In one transaction, but for the sequences, which never go back: done twice they are raised
    /// twice, which harms nobody.
    func mend() async throws -> RestoreReport {
        try await pool.transaction(isolation: .readCommitted) { transaction in
            let report = try await report(transaction, .mended)
            let raised = report.numbers.map { $0.raisedTo ?? $0.given }
            _ = try await transaction.execute(
                RaiseNumbers(fence: raised[0], generation: raised[1], session: raised[2]))
            _ = try await transaction.execute(EndOpenSessions())
            return report
        }
    }

    private func report(
        _ client: some PostgresClient, _ state: RestoreReport.State
    ) async throws -> RestoreReport {
        let found = try await client.execute(ReadNumbers(), deadline: Self.patience)[0]
        let numbers = zip(["fence", "generation", "session"], zip(found.given, found.found)).map {
            let (name, (given, found)) = $0
            let raised = state == .checked ? nil : max(given, found) + ahead
            return RestoreReport.Numbers(
                name: name, given: given, found: found, raisedTo: raised)
        }
        return RestoreReport(
            state: state, numbers: numbers, openSessions: found.openSessions,
            runningJobs: found.runningJobs)
    }
}
