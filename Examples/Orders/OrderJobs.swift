import Tenure
import TenureWorker

/// What is to become of an order.
struct ProcessOrder: Job {
    enum Wish: String, Codable, Sendable {
        case deliver, cancel
    }

    static let kind: JobKind = "process-order"
    static let options = JobOptions<Self>(
        queue: "orders", retry: .exponential(maxAttempts: 10), timeout: .seconds(60),
        // The newest wish of an order counts: from its commit on the older job writes nothing more.
        // It starts when the older one has let go: a charge on its way is not overtaken.
        key: { .superseding(Self.key($0.order), overlap: .forbidden) })

    let order: Int
    let wish: Wish

    static func key(_ order: Int) -> String { "order-\(order)" }
}

struct SendMail: Job {
    static let kind: JobKind = "send-mail"
    static let options = JobOptions<Self>(queue: "mail", timeout: .seconds(30))
    let order: Int
    let text: String
}

/// What the payment service says with the signal "paid".
struct Payment: Codable, Sendable {
    let by: String
}

struct OrderJobs: Sendable {
    let payments: PaymentService
    let settings: OrderSettings

    func registry() -> JobRegistry {
        var jobs = JobRegistry()
        jobs.handle(ProcessOrder.self) { job, context in
            switch job.wish {
            case .deliver: try await deliver(job.order, context)
            case .cancel: try await cancel(job.order, context)
            }
        }
        jobs.handle(SendMail.self) { mail, context in
            // A real one goes out here, with `context.jobID` as its Message-ID.
            try await context.commit { transaction in
                try await transaction.query(
                    "INSERT INTO mail (order_id, body) VALUES ($1, $2)", [mail.order, mail.text])
            }
        }
        return jobs
    }

    /// Read it from top to bottom: that is the way of an order, over days and restarts.
    private func deliver(_ order: Int, _ context: JobContext) async throws -> JobOutcome {
        // Done once, as far as we know. A process can die between the charge and the moment that
        // its result is kept: then it is asked again, under the same key.
        let charge = try await context.step("charge") {
            try await payments.charge(order, idempotencyKey: "\(context.jobID) charge")
        }

        // The run ends here: no slot, connection or lock is held. Another run, on any worker, goes
        // on from here when the webhook has sent the signal, or the time is over.
        let payment = try await context.signal(
            "paid", as: Payment.self, within: settings.paymentDeadline)
        guard let payment else {
            try await context.step("void") { try await payments.void(order) }
            return try await context.commit(.discard(reason: "nobody paid in time")) {
                try await $0.query("UPDATE orders SET state = 'unpaid' WHERE id = $1", [order])
            }
        }

        // Its rows, its mail and "it is done" are one transaction: exactly once.
        try await context.step("ship") { transaction in
            try await transaction.query(
                "INSERT INTO shipment (order_id, charge, paid_by) VALUES ($1, $2, $3)",
                [order, charge, payment.by])
            try await transaction.query(
                "UPDATE orders SET state = 'shipped' WHERE id = $1", [order])
            try context.client.enqueue(
                SendMail(order: order, text: "It is on its way."), in: transaction)
        }

        try await context.sleep(for: settings.reviewAfter)
        return try await context.commit { transaction in
            try context.client.enqueue(
                SendMail(order: order, text: "Did you like it?"), in: transaction)
        }
    }

    /// The order is marked already, and its older job can write nothing more. What that one has
    /// asked of others is taken back.
    private func cancel(_ order: Int, _ context: JobContext) async throws -> JobOutcome {
        try await payments.void(order)
        return try await context.commit { transaction in
            try context.client.enqueue(
                SendMail(order: order, text: "It is cancelled."), in: transaction)
        }
    }
}
