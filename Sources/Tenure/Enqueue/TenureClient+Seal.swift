// docs/decisions/encryption.md

extension TenureClient {
    /// What is stored of a job as JSON: its own, or what was sealed for one that it repeats, which
    /// costs a question.
    /// - Throws: as `PayloadSeals.opened`; `PostgresError` while the database is away.
    package func opened(_ stored: String, at place: SealedPlace) async throws -> String {
        let job = place.job
        return try await seals.opened(stored, at: place) { sealedFor in
            // Of what history has forgotten nobody can say more: the row's word counts for both.
            try await pool.ask(ReadOrigins(of: job)).contains {
                $0.job == sealedFor || $0.isForgotten
            }
        }
    }
}
