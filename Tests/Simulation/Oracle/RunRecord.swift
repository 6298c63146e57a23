import Tenure
import TenureFoundation
import TenureWorker

/// One run of a handler, as the oracle saw it.
final class RunRecord: @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    enum Result {
        case completed, snoozed, discarded, committed, late, cancellation, failure
    }

    let held: Run
    let process: SimulatedProcess
    let session: Int64
    /// On the process's clock.
    let startReading: Int64
    let timeout: Int64?
    var isCancelled = false
    var isOver = false
    var result: Result?
    /// The transaction of its last commit, and what the handler was told of it.
    var transaction: Int?
    var isCommitting = false
    /// It was told that the job has ended with its commit.
    var hasCommitted = false

    var run: RunInfo { held.job.run }
    var ref: RunRef { held.job.ref }

    init(
        held: Run, process: SimulatedProcess, session: Int64, timeout: Int64?
    ) {
        self.held = held
        self.process = process
        self.session = session
        self.timeout = timeout
        startReading = process.clock.reading
    }

    var name: String { "job \(run.job.short) fence \(run.fence) in process \(process.number)" }

    /// What this run's report must be, by "How a run ends" in docs/architecture.md; nil when there
    /// is none.
    var expectedReports: [String] {
        switch result {
        case .completed: return ["completed"]
        case .snoozed: return ["snoozed"]
        case .discarded: return ["discarded"]
        case .committed, nil: return []
        case .late: return ["handed_back", "superseded", "cancelled"]
        case .failure: return ["failed"]
        case .cancellation:
            switch held.right.reason {
            case nil, .timedOut: return ["failed"]
            case .superseded: return ["superseded"]
            case .cancelled: return ["cancelled"]
            case .shutdown, .leaseExpired, .lost: return ["handed_back"]
            case .waiting: return ["waits"]
            }
        }
    }
}

extension JobID {
    /// The number that the scenario gave it.
    package var short: Int {
        Int(uuid.uuid.14) << 8 | Int(uuid.uuid.15)
    }
}
