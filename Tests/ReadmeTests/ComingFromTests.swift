import Synchronization
import Tenure
import TenureFoundation
import TenureTestDatabase
import TenureTestKit
import TenureWorker
import Testing

/// What docs/coming-from.md says of its code is so.
@Suite struct ComingFromTests {
    private final class Teller: Bank {
        let asked = Mutex<[Int]>([])

        func sync(_ account: Int) async throws {
            let count = asked.withLock { asked in
                asked.append(account)
                return asked.count
            }
            if account == 9, count < 4 { throw BankIsBusy() }
        }
    }

    private static let bank = TestTemplate { pool in
        try await pool.simple("CREATE TABLE account (id bigint PRIMARY KEY)")
    }

    @Test func `what is tested on the page passes`() async throws {
        try await TestDatabase.with(Self.bank) { database in
            try await syncsAreTested(database.pool, Teller())
        }
    }

    @Test func `one key has one job, the newest; others are cancelled, or wait`() async throws {
        try await TestDatabase.with(Self.bank) { database in
            let ids = try await enqueueSyncs(database.client, database.pool)
            var jobs = JobRegistry()
            let teller = Teller()
            register(&jobs, teller)
            let queue = database.queue(jobs)

            let kept = try await queue.client.enqueue(
                SyncAccount(account: 7), .keeping("account-7"))
            #expect(kept.result == .kept && kept.id == ids[3])
            let runs = try await queue.drain()

            #expect(Set(runs.map(\.job)).isSuperset(of: [ids[0], ids[3]]))
            #expect(runs.contains { $0.became == .scheduled || $0.became == .available })
            let ends = try await [1, 2].asyncMap { try await database.inspector.job(ids[$0]) }
            #expect(ends.map { $0?.summary.status } == [.superseded, .cancelled])
            try await queue.client.enqueue(SyncAccount(account: -1))
            #expect(try await queue.drain().map(\.became).last == .discarded)
        }
    }
}

extension Array {
    fileprivate func asyncMap<Result>(
        _ transform: (Element) async throws -> Result
    ) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
