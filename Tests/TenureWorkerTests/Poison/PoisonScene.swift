import Tenure
import TenureFoundation
import TenureWorker

@testable import TenureCoordinator

/// A database with a spoilt row in it, and healthy work for every sweep and bulk statement.
struct PoisonScene: Sendable {
    let fixture: WorkerFixture
    let sessions: PostgresSessionStore
    let runs: PostgresRunStore
    let session: SessionID

    init(_ poison: Poison) async throws {
        fixture = try await WorkerFixture("poison")
        try await fixture.pool.simple(Poison.victims)
        try await fixture.pool.simple(poison.sql)
        let notifier = fixture.client.notifier
        sessions = PostgresSessionStore(
            beats: fixture.pool, pool: fixture.pool, wakeUp: notifier.wakeUp)
        runs = PostgresRunStore(pool: fixture.pool, notifier: notifier)
        session = try await sessions.open(
            SessionProfile(
                role: "worker", name: "well", version: "0",
                lease: try LeaseRule(length: .seconds(3600)), queues: [.default]))
    }

    func enqueue(_ arguments: String) async throws -> UUID {
        let call = arguments.isEmpty ? "'well'" : "'well', \(arguments)"
        return try await fixture.value("SELECT e.job_id FROM tenure.enqueue(\(call)) AS e")
    }

    func claim(_ wanted: Int = 50, as session: SessionID? = nil) async throws -> [ClaimedJob] {
        try await runs.claim(
            ClaimRequest(
                session: session ?? self.session, queue: .default, kinds: ["well", "sick"],
                wanted: wanted)
        ) { _ in }
    }

    func has(_ condition: String) async throws -> Bool {
        try await fixture.value("SELECT EXISTS (SELECT FROM \(condition))")
    }
}

/// One sweep or bulk statement: its healthy work, and whether that was done.
struct PoisonedSweep: Sendable {
    let name: String
    let works: @Sendable (PoisonScene) async throws -> Bool

    init(_ name: String, _ works: @escaping @Sendable (PoisonScene) async throws -> Bool) {
        self.name = name
        self.works = works
    }
}
