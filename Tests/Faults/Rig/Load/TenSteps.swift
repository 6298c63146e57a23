import Tenure
import TenureFoundation
import TenureWorker

/// A workflow: a number is drawn, and written down by each of nine steps behind it.
struct TenSteps: Sendable {
    let context: JobContext

    func run() async throws {
        let drawn = try await context.step("draw") { Int64.random(in: 1...1_000_000_000) }
        for number in 1...9 {
            try await context.step("write \(number)") { transaction in
                try await transaction.query(
                    "INSERT INTO step_effect (job, step, drawn) VALUES ($1, $2, $3)",
                    [context.jobID.uuid, Int64(number), drawn])
            }
        }
    }
}
