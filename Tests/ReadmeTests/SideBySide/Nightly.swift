import Tenure
import TenureCoordinator

/// What the schedule enqueues.
struct ChargeOverdue: Job {
    static let kind: JobKind = "charge-overdue"
    static let options = JobOptions<Self>(queue: "payments", retry: .exponential(maxAttempts: 5))
}

func nightly() throws -> [Schedule] {
    [try Schedule("overdue", cron: "30 2 * * *", zone: "Europe/Berlin", ChargeOverdue())]
}
