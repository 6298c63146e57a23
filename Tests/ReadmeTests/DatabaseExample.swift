import Tenure
import TenureTestDatabase
import TenureTestKit
import TenureWorker
import Testing

/// What the program's tests begin with; made once for all of them.
let shop = TestTemplate { pool in
    try await pool.simple("CREATE TABLE invoice (id bigint PRIMARY KEY, sent_at timestamptz)")
}

/// Its jobs, one after the other in this process.
func sendsAnInvoice() async throws {
    try await TestDatabase.with(shop) { database in
        try await bill(7, database.client, database.pool)
        var jobs = JobRegistry()
        register(&jobs, Mailer())

        let runs = try await database.queue(jobs).drain()

        #expect(runs.map(\.became) == [.completed])
    }
}

/// A real worker beside the test.
func sendsAnInvoiceByAWorker() async throws {
    try await TestDatabase.with(shop) { database in
        var jobs = JobRegistry()
        register(&jobs, Mailer())
        let end = try await database.withWorker(jobs) {
            let job = try await database.client.enqueue(SendInvoice(invoice: 8))
            return try await database.client.end(of: job.id, deadline: .seconds(20))
        }
        #expect(end.status == .completed)
    }
}
