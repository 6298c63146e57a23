import FoundationEssentials
import Synchronization
import Tenure

/// The runs whose jobs this process works on: a run doesn't change while it goes on.
final class RunCache: Sendable {
    private let pool: PostgresPool
    private let known = Mutex<[UUID: CheckRun]>([:])
    private static let most = 64

    init(pool: PostgresPool) {
        self.pool = pool
    }

    func run(_ id: UUID) async throws -> CheckRun? {
        if let run = known.withLock({ $0[id] }) { return run }
        guard let run = try await pool.execute(ReadRun(run: id)).first else { return nil }
        known.withLock { known in
            if known.count >= Self.most { known = [:] }
            known[id] = run
        }
        return run
    }
}
