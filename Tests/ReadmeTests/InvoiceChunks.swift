import Tenure
import TenureWorker

/// The same as `work`, with one commit for many invoices.
func register(_ jobs: inout JobRegistry, _ mailer: Mailer) {
    let sent = ChunkWriter<Int>(upTo: 32) { members, transaction in
        try await transaction.query(
            "UPDATE invoice SET sent_at = now() WHERE id = ANY ($1)",
            [members.map { Int64($0.value) }.sorted()])
    }
    jobs.handle(SendInvoice.self) { job, context in
        try context.checkRight()
        try await mailer.send(job.invoice, idempotencyKey: "\(context.jobID)")
        return try await context.commit(job.invoice, by: sent)
    }
}
