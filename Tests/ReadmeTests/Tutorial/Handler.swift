import Tenure
import TenureWorker

/// Makes a picture small. Stops early when its task is cancelled.
typealias Shrink = @Sendable (_ file: String) async throws -> String

func thumbnails(_ pool: PostgresPool, _ shrink: @escaping Shrink) -> JobRegistry {
    var jobs = JobRegistry()
    jobs.handle(MakeThumbnail.self) { job, context in
        let files = try await pool.query(
            "SELECT file FROM picture WHERE id = $1", [job.picture]
        ) { row in try row.decode(0, as: String.self) }
        guard let file = files.first else { return .discard(reason: "the picture is gone") }

        let small = try await shrink(file)  // slow: outside of any transaction

        return try await context.commit { transaction in
            try await transaction.query(
                "UPDATE picture SET thumbnail = $2 WHERE id = $1", [job.picture, small])
        }
    }
    return jobs
}
