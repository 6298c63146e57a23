import FaultSupport
import Tenure
import TenureWorker

/// What the handlers of a worker process share.
struct WorkerTools: Sendable {
    let log: LineFile
    let sink: SinkAddress?
    /// Off: nothing delivers cancellations. Handlers run in tasks of their own that nobody
    /// cancels, don't look at their right, and so go on to their commits. They send nothing to
    /// the sink then: outside of the database only a handler that looks is protected.
    let deliversCancellation: Bool
    /// Where a handler that kills its process leaves a note first.
    let crashNotes: String?

    func note(_ event: String, _ context: JobContext, _ more: [(String, JSONValue?)] = []) {
        log.write(
            [
                ("event", .string(event)), ("job", .string("\(context.jobID)")),
                ("fence", .integer(context.fence.rawValue)),
            ] + more)
    }
}
