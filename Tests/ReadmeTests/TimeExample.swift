import Tenure
import TenureTestKit
import TenureWorker
import Testing

struct Approve: Job {
    static let kind: JobKind = "approve"
    static let options = JobOptions<Self>()
    let order: Int
}

/// Worth nothing after ten minutes.
struct Offer: Job {
    static let kind: JobKind = "offer"
    static let options = JobOptions<Self>(notAfter: { _ in .after(.seconds(600)) })
    let to: String
}

func registerOrders(_ jobs: inout JobRegistry) {
    jobs.handle(Approve.self) { _, context in
        try await context.signal("approved")
        return .completed
    }
    jobs.handle(Offer.self) { _, _ in .completed }
}

func completesOnceItIsApproved(_ queue: TestQueue) async throws {
    let order = try await queue.client.enqueue(Approve(order: 7))
    #expect(try await queue.drain().map(\.became) == [.waiting])
    try await queue.client.signal(order.id, "approved", "by ada")
    #expect(try await queue.drain().map(\.became) == [.completed])
}

/// Nobody worked for longer than the offer is good for.
func dropsLateOffers(_ queue: TestQueue) async throws {
    let offer = try await queue.client.enqueue(Offer(to: "ada"))
    try await queue.pass(.seconds(601))
    #expect(try await queue.drain().isEmpty)
    let end = try await queue.client.end(of: offer.id, deadline: .seconds(1))
    #expect(end.status == .discarded)
}
