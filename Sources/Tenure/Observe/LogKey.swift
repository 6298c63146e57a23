package import Logging

/// The names under which the same thing is logged, counted and traced everywhere.
package enum LogKey: String {
    case jobID = "job.id"
    case jobKind = "job.kind"
    case jobQueue = "job.queue"
    case jobKey = "job.key"
    case jobGeneration = "job.generation"
    case jobAttempt = "job.attempt"
    case jobOutcome = "job.outcome"
    case batch = "batch.id"
    case fence = "lease.fence"
    case session = "session.id"
    case worker = "worker.id"
    case reason = "reason"
    case error = "error"
    case duration = "duration"
    case count = "count"
    case running = "running"
}

extension Logger.Metadata {
    package init(_ pairs: [LogKey: String]) {
        self.init(
            uniqueKeysWithValues: pairs.map { ($0.key.rawValue, .string($0.value)) })
    }
}

extension RunInfo {
    package var metadata: Logger.Metadata {
        var pairs: [LogKey: String] = [
            .jobID: "\(job)", .jobKind: "\(kind)", .jobQueue: "\(queue)", .fence: "\(fence)",
            .jobAttempt: "\(attempt)",
        ]
        pairs[.jobKey] = key
        pairs[.jobGeneration] = generation.map { "\($0)" }
        return Logger.Metadata(pairs)
    }
}
