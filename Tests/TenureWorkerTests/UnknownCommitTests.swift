import Tenure
import TenurePostgres
import Testing

@testable import TenureWorker

/// What a handler is told of a commit whose answer was lost, found by the simulation: rows that
/// can't tell must not be taken for an answer.
struct UnknownCommitTests {
    enum Told: Equatable { case committed, rolledBack, late, open }

    struct Case: Sendable {
        let outcome: JobOutcome?
        let rows: RunRows?
        let told: Told
    }

    /// After a crash of the server, when only the job's rows can tell.
    static let afterCrash = [
        Case(outcome: .completed, rows: .ended(as: .job(.completed)), told: .committed),
        Case(outcome: .completed, rows: .ended(as: .job(.discarded)), told: .late),
        Case(outcome: .discard(reason: "x"), rows: .ended(as: .job(.discarded)), told: .committed),
        Case(outcome: .discard(reason: "x"), rows: .reclaimed, told: .late),
        Case(outcome: .completed, rows: .held, told: .rolledBack),
        Case(outcome: .completed, rows: .putBack(as: .job(.available)), told: .late),
        Case(outcome: .completed, rows: .reclaimed, told: .late),
        Case(outcome: .completed, rows: .unkept, told: .open),
        Case(outcome: .snooze(for: .zero), rows: .held, told: .rolledBack),
        Case(outcome: .snooze(for: .zero), rows: .putBack(as: .job(.scheduled)), told: .open),
        Case(outcome: .snooze(for: .zero), rows: .ended(as: .job(.discarded)), told: .open),
        Case(outcome: .snooze(for: .zero), rows: .reclaimed, told: .late),
        Case(outcome: nil, rows: .held, told: .open),
        Case(outcome: nil, rows: .reclaimed, told: .open),
        Case(outcome: .completed, rows: nil, told: .open),
    ]

    @Test("after a crash a handler is told what the rows say, and no more", arguments: afterCrash)
    func theRowsDecide(_ example: Case) async throws {
        let store = LostCommits(status: .ambiguous, rows: example.rows)
        #expect(await told(by: store, example.outcome) == example.told)
    }

    struct Many: Sendable {
        let rows: [RunRows]
        let told: String
    }

    /// All of a chunk, or none of it.
    static let ofMany = [
        Many(rows: [.ended(as: .job(.completed)), .unkept], told: "committed"),
        Many(rows: [.unkept, .held], told: "rolled back, 0 gone"),
        Many(rows: [.held, .reclaimed, .unkept], told: "rolled back, 1 gone"),
        Many(rows: [.ended(as: .job(.cancelled)), .held], told: "rolled back, 1 gone"),
        Many(rows: [.ended(as: .job(.completed)), .held], told: "open"),
        Many(rows: [.unkept, .unkept], told: "open"),
    ]

    @Test("what the rows of one member say holds for its chunk", arguments: ofMany)
    func theRowsDecideForAll(_ example: Many) async throws {
        let runs = example.rows.map { _ in run() }
        let rows = Dictionary(uniqueKeysWithValues: zip(runs.map(\.job), example.rows))
        let inquiry = CommitInquiry(
            store: LostCommits(status: .ambiguous, rowsOf: rows),
            runs: runs.map { ($0, .end(as: .job(.completed))) }, observer: Silent(),
            executor: globalConcurrentExecutor)
        let unknown = PostgresUnknownCommit(xid: PostgresTransactionID(rawValue: 1))
        let told =
            switch await inquiry.truth(of: unknown) {
            case .committed: "committed"
            case .rolledBack(let gone): "rolled back, \(gone.count) gone"
            case .open: "open"
            }
        #expect(told == example.told)
    }

    private func run() -> RunInfo {
        RunInfo(
            job: JobID(), kind: "test", queue: .default, key: nil, generation: nil,
            fence: Fence(1), attempt: 1)
    }

    @Test("a transaction's own status is the truth")
    func theStatusDecides() async throws {
        #expect(await told(by: LostCommits(status: .committed), .completed) == .committed)
        #expect(await told(by: LostCommits(status: .aborted), .completed) == .rolledBack)
        #expect(await told(by: LostCommits(status: .inProgress), .completed) == .open)
        #expect(await told(by: LostCommits(status: nil), .completed) == .open)
    }

    private func told(by store: LostCommits, _ outcome: JobOutcome?) async -> Told {
        let commit = FencedCommit(
            store: store, run: run(), observer: Silent(), executor: globalConcurrentExecutor,
            log: { nil })
        do {
            if let outcome {
                _ = try await commit.commit(outcome) { _ in }
            } else {
                try await commit.checkpoint { _ in }
            }
            return .committed
        } catch is LateResult {
            return .late
        } catch let error as PostgresError {
            return error.code == .unknownCommit ? .open : .rolledBack
        } catch {
            return .rolledBack
        }
    }
}

private struct Silent: EventObserver {
    func observe(_ event: Event) {}
}

/// A store that answers no COMMIT.
private struct LostCommits: CommitStore {
    struct Transaction: CommitTransaction {
        func finish(_ run: RunInfo, _ outcome: JobOutcome) async throws -> Finished {
            Finished(became: outcome.expected, wakeups: [])
        }
        func finish(_ ends: [RunToEnd]) async throws -> FinishedChunk {
            FinishedChunk(became: [:], wakeups: [])
        }
        func hold(_ run: RunRef, log: String?) async throws -> [Wakeup] { [] }
    }

    static let away = PostgresError(.connectFailed, "away")
    var status: PostgresCommitStatus?
    var rows: RunRows?
    var rowsOf: [JobID: RunRows] = [:]

    func transaction(
        of runs: [RunRef], _ body: (Transaction, LateRuns) async throws -> Void
    ) async throws {
        try await body(Transaction(), [:])
        var error = PostgresError(.unknownCommit, "no answer")
        error.unknownCommit = PostgresUnknownCommit(xid: PostgresTransactionID(rawValue: 1))
        throw error
    }

    func outcome(
        of unknown: PostgresUnknownCommit, deadline: Duration
    ) async throws -> PostgresCommitStatus {
        guard let status else { throw Self.away }
        return status
    }

    func find(_ run: RunRef) async throws -> RunRows {
        guard let rows = rowsOf[run.job] ?? rows else { throw Self.away }
        return rows
    }

    func verdicts(of runs: [RunRef]) async throws -> LateRuns { [:] }
    func send(_ wakeups: [Wakeup]) async {}
}
