import Simulation
import Tenure
import TenurePostgres

/// Callers that keep their snapshot: others' steps come between that and what they enqueue.
extension Pair {
    func call(_ random: inout SeededRandom) async throws {
        let level = random.pick([PostgresIsolation.repeatableRead, .serializable])
        let news = try (0..<random.within(1...3)).map { _ in try newJob(&random) }
        let meanwhile = Step.sequence(seed: random.next(), count: random.below(9))
            .filter { $0.verb != .call }
        if try await call(news, at: level, meanwhile: meanwhile) {
            passed += meanwhile.isEmpty ? 0 : 1
        } else {
            refused += 1
            let isTaken = try await call(news, at: level, meanwhile: [])
            try expect(isTaken, "nobody came between, and a caller was refused")
        }
    }

    /// Returns whether both took it, or neither did.
    private func call(
        _ news: [NewJob], at level: PostgresIsolation, meanwhile: [Step]
    ) async throws -> Bool {
        let snapshot = store.snapshot()
        let real = try await answer {
            try await pool.transaction(isolation: level) { transaction in
                _ = try await transaction.query("SELECT id FROM tenure.session LIMIT 1") { _ in 0 }
                for step in meanwhile {
                    try await take(step)
                    try await compareJobs()
                }
                try await setClock()
                return try await transaction.execute(EnqueueJobs(news))
            }
        }
        let simulated = try await answer {
            try store.requireCurrent(snapshot, for: news)
            return try store.enqueue(news, in: snapshot)
        }
        try compare(real, simulated, "a caller at \(level.rawValue)") {
            try compare($0, $1, of: news)
        }
        if case .success = real { return true }
        return false
    }
}
