import Tenure
import TenureWorker

/// Writes a report, page by page.
struct RenderReport: Job {
    static let kind: JobKind = "render-report"
    static let options = JobOptions<Self>(
        retry: .exponential(maxAttempts: 5), timeout: .seconds(600),
        key: { .keeping("report-\($0.report)") })
    let report: Int
    let pages: Int

    static func register(_ jobs: inout JobRegistry) {
        jobs.handle(RenderReport.self) { job, context in
            var text = ""
            for page in 1...job.pages {
                try await Task.sleep(for: .milliseconds(400))  // stands for work
                text += "page \(page)\n"
                context.progress(
                    done: Int64(page), total: Int64(job.pages), note: "page \(page)")
            }
            return try await context.commit { [text] transaction in
                try await transaction.query(
                    "UPDATE report SET body = $2 WHERE id = $1", [job.report, text])
            }
        }
    }
}
