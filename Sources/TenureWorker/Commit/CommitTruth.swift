import Tenure
import TenurePostgres

/// What a commit does to a run: by that its rows can tell afterwards, or can't.
enum CommitWay: Sendable {
    /// The job is over, with this outcome.
    case end(as: RunOutcome)
    /// The job is pending again, as it would be after any other end.
    case snooze
    /// The run goes on as if nothing had been.
    case checkpoint

    init(_ outcome: JobOutcome) {
        self = outcome.isPutOff ? .snooze : .end(as: outcome.expected)
    }
}

/// What became of a commit whose answer was lost.
enum CommitTruth: Sendable {
    case committed
    /// Some of its runs are others' by now.
    case rolledBack(gone: [RunRef])
    /// Nobody could say in time, for the reason that the last question had.
    case open((any Error)?)
}

/// Finds out what became of a commit, of one run or of many, whose answer was lost.
struct CommitInquiry<Store: CommitStore>: Sendable {
    let store: Store
    let runs: [(run: RunInfo, way: CommitWay)]
    let observer: any EventObserver
    /// Where it goes on, whatever becomes of the caller.
    let executor: any TaskExecutor
    var deadline: Duration = .seconds(30)

    /// Finds out, whatever happens to the task meanwhile: a lost connection and the end of the
    /// lease come together, and the handler is to hear the truth.
    func truth(of unknown: PostgresUnknownCommit) async -> CommitTruth {
        let truth = await withoutCancellation(on: executor) { await self.ask(unknown) }
        let isCommitted: Bool
        switch truth {
        case .committed: isCommitted = true
        case .rolledBack: isCommitted = false
        case .open: return truth
        }
        for (run, _) in runs {
            observer.observe(.unknownCommitResolved(run, committed: isCommitted))
        }
        return truth
    }

    private func ask(_ unknown: PostgresUnknownCommit) async -> CommitTruth {
        do {
            switch try await store.outcome(of: unknown, deadline: deadline) {
            case .committed: return .committed
            case .aborted: return .rolledBack(gone: [])
            case .inProgress: return .open(nil)
            case .ambiguous, .tooOld: return try await askRows()
            }
        } catch {
            return .open(error)
        }
    }

    /// The server crashed, and the id may be another transaction's: the jobs' rows tell, where the
    /// commit would have left its mark on them. It did so on all, or on none.
    private func askRows() async throws -> CommitTruth {
        var gone: [RunRef] = []
        var (isCommitted, isUndone) = (false, false)
        for (run, way) in runs {
            let ref = RunRef(job: run.job, fence: run.fence)
            switch (try await store.find(ref), way) {
            case (.ended(let outcome), .end(let wanted)) where outcome == wanted:
                isCommitted = true
            case (.held, .end), (.held, .snooze): isUndone = true
            case (.ended, .end), (.putBack, .end), (.reclaimed, .end), (.reclaimed, .snooze):
                gone.append(ref)
            default: break
            }
        }
        isUndone = isUndone || !gone.isEmpty
        // Rows that contradict each other are others' doing.
        if isCommitted == isUndone { return .open(nil) }
        return isCommitted ? .committed : .rolledBack(gone: gone)
    }
}
