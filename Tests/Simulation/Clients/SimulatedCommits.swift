import Tenure
import TenurePostgres
import TenureWorker

/// A process's commits, over the network: each statement of the transaction is a call.
struct SimulatedCommits: CommitStore {
    let process: SimulatedProcess
    let network: Network
    let wakeups: WakeupBoard
    /// Told the transaction's number and its runs, for the oracle.
    let didBegin: @Sendable (Int, [RunRef]) -> Void

    func transaction(
        of runs: [RunRef], _ body: (SimulatedTransaction, LateRuns) async throws -> Void
    ) async throws {
        let open = try await network.call(process, "begin") { $0.begin() }
        open.isImpatient = runs.count > 1
        didBegin(open.number, runs)
        let transaction = SimulatedTransaction(
            process: process, network: network, number: open.number)
        do {
            try await body(transaction, try await transaction.verdicts(of: runs))
            try Task.checkCancellation()
        } catch {
            await rollBack(open.number)
            throw error
        }
        do {
            try await network.call(
                process, "commit", isCommit: true, in: open.number
            ) { try $0.commit(open.number) }
        } catch let error as PostgresError where error.code == .server {
            throw PostgresError(.commitRefused, "rolled back")
        } catch {
            if process.isGone { network.abandon(open.number) }
            var unknown = PostgresError(.unknownCommit, "no answer to COMMIT", cause: error)
            unknown.unknownCommit = PostgresUnknownCommit(
                xid: PostgresTransactionID(rawValue: UInt64(open.number * 1000 + open.incarnation)))
            throw unknown
        }
    }

    /// Waited for, as the pool does; a connection that is gone is the server's to notice.
    private func rollBack(_ number: Int) async {
        do {
            try await network.call(process, "rollback", isCommit: true, in: number) {
                $0.abort(number)
            }
        } catch {
            network.abandon(number)
        }
    }

    /// As `PostgresPool.resolve`: asks until the answer is final, or the deadline.
    func outcome(
        of unknown: PostgresUnknownCommit, deadline: Duration
    ) async throws -> PostgresCommitStatus {
        let xid = unknown.xid?.rawValue ?? 0
        let number = Int(xid / 1000)
        let incarnation = Int(xid % 1000)
        let end = process.clock.now + deadline
        while true {
            do {
                let status = try await network.call(process, "resolve") {
                    $0.status(of: number, incarnation: incarnation)
                }
                switch status {
                case .committed: return .committed
                case .aborted: return .aborted
                case .ambiguous: return .ambiguous
                case .inProgress: if process.clock.now >= end { return .inProgress }
                }
            } catch let error as PostgresError {
                if error.code == .closed || process.clock.now >= end { throw error }
            }
            try await process.clock.sleep(until: process.clock.now + .milliseconds(200))
        }
    }

    func find(_ run: RunRef) async throws -> RunRows {
        try await network.call(process, "find") { $0.find(run) }
    }

    func verdicts(of runs: [RunRef]) async throws -> LateRuns {
        try await network.call(process, "look") { $0.lateRuns(among: runs) }
    }

    func send(_ news: [Wakeup]) async { wakeups.send(news) }
}

/// The open transaction as a handler sees it.
struct SimulatedTransaction: CommitTransaction {
    let process: SimulatedProcess
    let network: Network
    let number: Int
    private let followUps = FollowUpList()

    init(process: SimulatedProcess, network: Network, number: Int) {
        self.process = process
        self.network = network
        self.number = number
    }

    /// One of the handler's own writes.
    func write(_ text: String) async throws {
        try await run("write") { _, transaction in transaction.writes.append(text) }
    }

    /// A write that the database refuses.
    func writeWrongly() async throws {
        try await run("write") { store, transaction in
            store.abort(transaction.number)
            throw StoreRefusal(sqlState: "23505")
        }
    }

    func enqueue(_ jobs: [NewJob]) { followUps.jobs += jobs }

    func verdicts(of runs: [RunRef]) async throws -> LateRuns {
        try await self.run("look") { store, _ in store.lateRuns(among: runs) }
    }

    func finish(_ info: RunInfo, _ outcome: JobOutcome) async throws -> Finished {
        let run = RunRef(job: info.job, fence: info.fence)
        let jobs = followUps.jobs
        try await self.run("finish") { store, transaction in
            try store.lock(run, jobs, for: transaction)
            store.current = transaction.number
            defer { store.current = nil }
            try store.checkFinish(run, SimulatedStore.Ending(run, outcome))
            transaction.finished = [run]
            transaction.effects.append { try $0.finish(run, outcome, followUps: jobs) }
        }
        return Finished(became: outcome.expected, wakeups: Wakeup.after(jobs))
    }

    func finish(_ ends: [RunToEnd]) async throws -> FinishedChunk {
        let jobs = followUps.jobs
        try await run("finish chunk") { store, transaction in
            for end in ends { try store.lock(end.ref, jobs, for: transaction) }
            store.current = transaction.number
            defer { store.current = nil }
            try store.checkFinish(ends)
            transaction.finished = ends.map(\.ref)
            transaction.effects.append { try $0.finish(ends, followUps: jobs) }
        }
        let became = ends.map { ($0.ref, $0.outcome.expected) }
        return FinishedChunk(
            became: Dictionary(uniqueKeysWithValues: became), wakeups: Wakeup.after(jobs))
    }

    func hold(_ run: RunRef, log: String?) async throws -> [Wakeup] {
        let jobs = followUps.jobs
        try await self.run("hold") { store, transaction in
            try store.lock(run, jobs, for: transaction)
            try store.checkHold(run)
            transaction.held = run
            if !jobs.isEmpty { transaction.effects.append { _ = try $0.enqueue(jobs) } }
        }
        return Wakeup.after(jobs)
    }

    private func run<Answer>(
        _ name: StaticString,
        _ body: @escaping (SimulatedStore, OpenTransaction) throws -> Answer
    ) async throws -> Answer {
        try await network.call(process, name, in: number) { [number] store in
            guard let transaction = store.transactions[number] else {
                throw StoreRefusal(sqlState: "25P02")
            }
            do { return try body(store, transaction) } catch is Blocked
                where transaction.isImpatient
            {
                store.abort(number)
                throw StoreRefusal(sqlState: "55P03")
            }
        }
    }
}

private final class FollowUpList: @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    var jobs: [NewJob] = []
}

extension SimulatedStore {
    fileprivate func lateRuns(among runs: [RunRef]) -> LateRuns {
        var late: LateRuns = [:]
        for run in runs { late[run] = verdict(of: run)?.asLate }
        return late
    }

    /// What a commit locks: its own subject and job, and its follow-ups' subjects.
    fileprivate func lock(
        _ run: RunRef, _ followUps: [NewJob], for transaction: OpenTransaction
    ) throws {
        let own = index(run.job).flatMap { jobs[$0].subject }
        let subjects = Set([own].compactMap(\.self) + followUps.compactMap(\.subject))
        try lock(subjects.sorted { $0.isBefore($1) }, run.job, for: transaction)
    }
}

extension Verdict {
    var asLate: LateResult.Became {
        switch self {
        case .lost: .lost
        case .cancelled: .cancelled
        case .superseded: .superseded
        }
    }
}
