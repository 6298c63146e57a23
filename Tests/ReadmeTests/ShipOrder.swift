import Tenure
import TenureWorker

protocol Payments: Sendable {
    func charge(_ order: Int, idempotencyKey: String) async throws -> String
    func refund(_ receipt: String) async throws
    func ask(_ order: Int) async throws
}

struct ShipOrder: Job {
    static let kind: JobKind = "ship-order"
    static let options = JobOptions<Self>(key: { .keeping("ship-\($0.order)") })
    let order: Int
}

struct Approval: Codable, Sendable {
    let by: String
}

func registerOrders(_ jobs: inout JobRegistry, _ payments: any Payments) {
    jobs.handle(ShipOrder.self) { job, context in
        let receipt = try await context.step("charge") {
            try await payments.charge(job.order, idempotencyKey: "\(context.jobID) charge")
        }
        let approval = try await context.signal(
            "approved", as: Approval.self, within: .seconds(3 * 86_400))
        guard approval != nil else {
            try await context.step("refund") { try await payments.refund(receipt) }
            return .discard(reason: "nobody approved it")
        }
        try await context.step("book") { transaction in
            try await transaction.query(
                "INSERT INTO shipment (order_id) VALUES ($1)", [Int64(job.order)])
        }
        try await context.sleep(for: .seconds(7 * 86_400))
        try await context.step("ask for a review") { try await payments.ask(job.order) }
        return .completed
    }
}

func cancelOrder(_ number: Int, _ client: TenureClient) async throws -> Bool {
    let someone = Operator(client: client, as: "shop", because: "the customer rang")
    var order = JobFilter()  // without states: whatever is unfinished
    (order.kind, order.key) = (ShipOrder.kind, "ship-\(number)")
    let became = try await someone.apply(.cancel, toAll: order)  // [.cancelled: 1]
    return became[.busy] == nil
}
