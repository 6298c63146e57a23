import Tenure
import TenureFoundation
import TenurePostgres

/// One try at a chunk's commit: a look first, the writes of those that are held, then the fences,
/// last. All of it or nothing.
struct ChunkCommit<Store: CommitStore, Value: Sendable>: Sendable {
    let store: Store
    let members: [WaitingCommit<Value>]
    let observer: any EventObserver
    let executor: any TaskExecutor
    let write: @Sendable ([Value], Store.Transaction) async throws -> Void

    private struct Progress {
        var late: LateRuns = [:]
        var became: [RunRef: RunOutcome] = [:]
        var wakeups: [Wakeup] = []
        var awaited: [JobID] = []
    }

    func run() async -> ChunkEnd {
        let progress = Lock(Progress())
        do {
            try await store.transaction(of: members.map(\.ref)) { transaction, gone in
                progress.withLock { $0.late = gone }
                let present = members.filter { gone[$0.ref] == nil }
                if present.isEmpty { throw Nobody() }
                try await write(present.map(\.value), transaction)
                let finished = try await transaction.finish(
                    present.map { RunToEnd($0.run.info, $0.outcome) })
                progress.withLock { $0.became = finished.became }
                progress.withLock { $0.wakeups = finished.wakeups }
                progress.withLock { $0.awaited = finished.awaited }
            }
        } catch {
            return await end(after: error, progress.withLock { $0 })
        }
        let done = progress.withLock { $0 }
        store.tell(awaited: done.awaited)
        return ChunkEnd(way: .committed(done.became), late: done.late, wakeups: done.wakeups)
    }

    /// All were late at the first look.
    private struct Nobody: Error {}

    private func end(after error: any Error, _ progress: Progress) async -> ChunkEnd {
        if error is Nobody { return ChunkEnd(way: .undone, late: progress.late) }
        if let error = error as? PostgresError {
            if let unknown = error.unknownCommit { return await end(of: unknown, error, progress) }
            if error.code == .unknownCommit { return ChunkEnd(way: .unknown(error)) }
            if let late = late(error) { return ChunkEnd(way: .undone, late: late) }
        }
        // Somebody has to leave: why the statement failed that ran just then is no matter.
        if Task.isCancelled { return ChunkEnd(way: .undone, late: progress.late) }
        if let error = error as? PostgresError, error.isTransient || error.code == .poolTimedOut {
            return ChunkEnd(way: .interrupted, late: progress.late, cause: error)
        }
        return await blameLateness(for: error)
    }

    private func end(
        of unknown: PostgresUnknownCommit, _ error: PostgresError, _ progress: Progress
    ) async -> ChunkEnd {
        let present = members.filter { progress.late[$0.ref] == nil }
        let inquiry = CommitInquiry(
            store: store, runs: present.map { ($0.run.info, CommitWay($0.outcome)) },
            observer: observer, executor: executor)
        switch await inquiry.truth(of: unknown) {
        case .committed:
            store.tell(awaited: progress.awaited)
            return ChunkEnd(
                way: .committed(progress.became), late: progress.late, wakeups: progress.wakeups)
        case .rolledBack(let gone):
            let lost = LateRuns(uniqueKeysWithValues: gone.map { ($0, .lost) })
            return ChunkEnd(
                way: .interrupted, late: progress.late.merging(lost) { first, _ in first },
                cause: error.rolledBack)
        case .open(let cause):
            return ChunkEnd(way: .unknown(error.open(cause)), late: progress.late)
        }
    }

    /// Whom the last statement has found late; nil where it says nothing of the sort.
    private func late(_ error: PostgresError) -> LateRuns? {
        guard error.sqlState == "TN001", let detail = error.detail else { return nil }
        // Reason for `try?`: what isn't ours to read is an error like any other.
        let words = try? JSONDecoder().decode([String: String].self, from: Data(detail.utf8))
        guard let words else { return nil }
        let late = members.compactMap { member in
            words["\(member.ref.job)"].map {
                (member.ref, LateResult.Became(rawValue: $0) ?? .lost)
            }
        }
        return late.isEmpty ? nil : LateRuns(uniqueKeysWithValues: late)
    }

    /// A write may have failed *because* some are late: then it is not the others' fault.
    private func blameLateness(for error: any Error) async -> ChunkEnd {
        do {
            let late = try await store.verdicts(of: members.map(\.ref))
            if !late.isEmpty { return ChunkEnd(way: .undone, late: late, cause: error) }
        } catch {
            // Can't be asked now: each is asked again when it is alone.
        }
        return ChunkEnd(way: .refused, cause: error)
    }
}
