import Tenure
import TenureWorker

struct ChargeOrder: Job {
    static let kind: JobKind = "charge-order"
    static let options = JobOptions<Self>(queue: "payments", retry: .exponential(maxAttempts: 5))
    let order: Int
}

func payments(_ gateway: any Gateway) -> JobRegistry {
    var jobs = JobRegistry()
    jobs.handle(ChargeOrder.self) { job, context in
        try await gateway.charge(job.order, idempotencyKey: "\(context.jobID)")
        return try await context.commit { transaction in
            try await transaction.query(
                "UPDATE orders SET charged_at = now() WHERE id = $1", [job.order])
        }
    }
    return jobs
}
