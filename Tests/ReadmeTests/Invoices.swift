import Tenure
import TenureWorker

struct SendInvoice: Job {  // shared by producer and worker
    static let kind: JobKind = "send-invoice"  // stable, never the type's name
    static let options = JobOptions<Self>(
        retry: .exponential(maxAttempts: 10), timeout: .seconds(60),
        key: { .keeping("invoice-\($0.invoice)") })  // what it is about: one job at a time
    let invoice: Int
}

func bill(_ invoice: Int, _ client: TenureClient, _ pool: PostgresPool) async throws {
    try await pool.transaction { transaction in
        try await transaction.query("INSERT INTO invoice (id) VALUES ($1)", [invoice])
        try client.enqueue(SendInvoice(invoice: invoice), in: transaction)
    }  // both are there, or neither; an unfinished job of the same invoice is kept, and none added
}

func work(_ pool: PostgresPool, _ mailer: Mailer) async throws {
    var jobs = JobRegistry()
    jobs.handle(SendInvoice.self) { job, context in
        try context.checkRight()  // by the clock: nothing is sent after the lease
        try await mailer.send(job.invoice, idempotencyKey: "\(context.jobID)")
        // Effects and completion, in one transaction behind the fence.
        return try await context.commit { transaction in
            try await transaction.query(
                "UPDATE invoice SET sent_at = now() WHERE id = $1", [job.invoice])
        }
    }
    try await Worker(pool: pool, jobs: jobs).run()  // until cancelled, or a graceful shutdown
}
