import Logging
import Tenure
import TenureWorker

/// A service outside the database, which refuses a smaller fence than it has seen.
protocol Printer: Sendable {
    func print(_ text: String, fence: Int64, idempotencyKey: String) async throws
}

struct PrintPages: Job {
    static let kind: JobKind = "print-pages"
    static let options = JobOptions<Self>()
    let document: Int
    var pages = 3
}

func registerPrinting(_ jobs: inout JobRegistry, _ printer: any Printer) {
    jobs.handle(PrintPages.self) { job, context in
        for page in 1...job.pages {
            try context.checkRight()  // by the clock: a process that was frozen finds out here
            try await printer.print(
                "page \(page)", fence: context.fence.rawValue,
                idempotencyKey: "\(context.jobID)-\(page)")
            context.progress(done: Int64(page), total: Int64(job.pages))
            try await context.checkpoint { transaction in
                try await transaction.query(
                    "UPDATE document SET printed = $2 WHERE id = $1", [job.document, page])
            }
        }
        return .completed
    }
}

func registerEarlyEnd(_ jobs: inout JobRegistry, _ pool: PostgresPool) {
    jobs.handle(PrintPages.self) { job, context in
        do {
            try await Task.sleep(for: .seconds(3600))
        } catch let error as CancellationError {
            switch context.endReason {
            case .superseded, .cancelled, .lost: break  // nobody wants the result
            case .timedOut: context.log.notice("still printing")
            case .shutdown, .leaseExpired, .waiting: break  // a later run goes on
            case nil: break  // nobody asked this run to stop: a failed attempt
            }
            throw error
        }
        return .completed
    }
}
