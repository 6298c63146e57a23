import Logging
import Tenure
import TenurePostgres
import TenureWorker

/// A session without beats. Its lease is as long as one may be: nobody takes its jobs away while a
/// test runs.
enum TestSession {
    private static let lease = Duration.seconds(3600)

    static func with<Result>(
        _ client: TenureClient, _ jobs: JobRegistry, on time: any Timekeeper, _ logger: Logger,
        _ body: (InlineWorker) async throws -> Result
    ) async throws -> Result {
        let pool = client.pool
        try await Migrator(pool: pool).requireCurrent()
        let kinds = try jobs.handlers(client: client, logger: logger)
        let sessions = PostgresSessionStore(
            beats: pool, pool: pool, wakeUp: client.notifier.wakeUp)
        let session = try await sessions.open(
            SessionProfile(
                role: "worker", name: "test kit", version: "0",
                lease: try LeaseRule(length: lease),
                kinds: kinds.keys.sorted { $0.rawValue < $1.rawValue },
                secretFields: jobs.secretFields, letters: jobs.letters))
        let worker = try InlineWorker(
            kinds: kinds, store: PostgresRunStore(pool: pool, notifier: client.notifier),
            session: session, time: time, logger: logger)
        do {
            let result = try await body(worker)
            _ = try await sessions.close(session)
            return result
        } catch {
            // The test hears of what went wrong first; a session left open claims nothing.
            await withoutCancellation { _ = try? await sessions.close(session) }
            throw error
        }
    }
}
