import FaultSupport
import Foundation
import Synchronization
import Tenure
import TestSupport
import Testing

/// The standby is promoted under load: `bin/test failover` does it twenty times.
@Suite(.serialized) struct FailoverTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["TENURE_FAILOVERS"].flatMap(Int.init) ?? 1

    /// What producers were told.
    private final class Told: Sendable {
        let acknowledged = Mutex<[String]>([])
        let refused = Mutex<[String: Int]>([:])
    }

    @Test func `promoting the standby under load loses and doubles nothing`() async throws {
        let pair = try await StandbyPair()
        let fixture = try await FaultFixture(TestPostgres.of(conninfo: pair.conninfo))
        let workers = try (0..<2).map { _ in
            try WorkerProcess(conninfo: pair.conninfo, slots: 8)
        }
        defer { for worker in workers { worker.send(SIGKILL) } }
        let told = Told()
        let pauses = try await withThrowingTaskGroup(of: Void.self) { group in
            for producer in 0..<4 {
                group.addTask { await produce(producer, fixture, told) }
            }
            var pauses: [Double] = []
            for round in 0..<Self.rounds {
                try await Task.sleep(for: .seconds(2))
                // A single one is the worst of them.
                let falls = Self.rounds == 1 ? [.waitsCancelled] : StandbyPair.Fall.allCases
                let (began, gone) = try await pair.failOver(falls[round % falls.count])
                pauses.append(try await claimsAgain(after: gone, workers) - began)
                if Self.rounds > 1 {
                    print("failover \(round + 1), \(falls[round % falls.count]):", terminator: " ")
                    print(
                        "promoted and gone after \(Self.seconds(gone - began)),",
                        "claims flow after \(Self.seconds(pauses[round]))")
                }
            }
            try await Task.sleep(for: .seconds(1))
            group.cancelAll()
            return pauses
        }
        try await judge(fixture, told, pauses)
        for worker in workers { worker.send(SIGKILL) }
        await fixture.pool.close()
        try await pair.stop()
    }

    private func judge(_ fixture: FaultFixture, _ told: Told, _ pauses: [Double]) async throws {
        try await fixture.eventually(
            "all jobs ended", within: .seconds(60), "SELECT count(*) = 0 FROM tenure.job")
        let acknowledged = told.acknowledged.withLock { $0 }
        let lost = try await fixture.pool.query(
            """
            SELECT count(*) FROM unnest($1::text[]) AS a (id)
            WHERE NOT EXISTS (SELECT FROM tenure.job_history h WHERE h.id = a.id::uuid)
            """, [acknowledged]
        ) { try $0.decode(0, as: Int64.self) }[0]
        let doubled = try await fixture.expectOneCommitEach()
        #expect(acknowledged.count > 100)
        #expect(lost == 0)
        #expect(doubled == 0)
        print(
            "\(pauses.count) promotions under load: \(acknowledged.count) enqueues acknowledged,",
            "\(lost) lost; \(try await fixture.number("SELECT count(*) FROM effect")) commits,",
            "\(doubled) twice; refused \(told.refused.withLock { $0 });",
            "claims flow again after \(Self.seconds(pauses.sorted()[pauses.count / 2])) (median),",
            "\(Self.seconds(pauses.max() ?? 0)) at most")
    }

    /// The boot time of the first claim after a moment.
    private func claimsAgain(
        after boot: Double, _ workers: [WorkerProcess]
    ) async throws -> Double {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let claims = workers.flatMap { $0.seen("claimed") }.map(\.boot).filter { $0 > boot }
            if let first = claims.min() { return first }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw ProcessFailure(what: "no claim after the failover")
    }

    private func produce(_ producer: Int, _ fixture: FaultFixture, _ told: Told) async {
        var number = 0
        while !Task.isCancelled {
            number += 1
            do {
                let mode: KeyMode? =
                    switch number % 10 {
                    case 0: .superseding("key \(producer)")
                    case 1: .coalescing("other key \(producer)")
                    default: nil
                    }
                let id = try await fixture.enqueue(5, mode: mode)
                told.acknowledged.withLock { $0.append(id) }
                try await Task.sleep(for: .milliseconds(20))
            } catch is CancellationError {
                return
            } catch {
                let code =
                    (error as? PostgresError)?.code.description
                    ?? (error as? TenureError)?.code.description ?? "\(error)"
                told.refused.withLock { $0[code, default: 0] += 1 }
            }
        }
    }

    private static func seconds(_ number: Double) -> String {
        "\((number * 100).rounded() / 100) s"
    }
}
