import Foundation
import HTTPTypes
import Hummingbird
import Tenure

struct OrderRoutes: Sendable {
    let book: OrderBook
    let settings: OrderSettings

    private struct NewOrder: Decodable {
        let id: Int
        let item: String
    }

    /// What the payment service posts, under an id by which it counts once.
    private struct PaymentEvent: Decodable {
        let id: UUID
        let order: Int
        let by: String
    }

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.post("orders") { request, context in
            let order = try await request.decode(as: NewOrder.self, context: context)
            guard try await book.place(order.id, item: order.item) else {
                throw HTTPError(.conflict, message: "there is an order \(order.id)")
            }
            return Response(status: .created, headers: [.location: "/orders/\(order.id)"])
        }
        router.get("orders/:id") { _, context in
            let order = try await book.find(try context.parameters.require("id", as: Int.self))
            guard let order else { throw HTTPError(.notFound) }
            return order
        }
        router.delete("orders/:id") { _, context -> HTTPResponse.Status in
            let order = try context.parameters.require("id", as: Int.self)
            guard try await book.cancel(order) else {
                throw HTTPError(.conflict, message: "it is too late, or there is no such order")
            }
            return .accepted
        }
        router.post("webhooks/payments", use: paid)
        return router
    }

    /// Acknowledged after the signal's commit: a webhook that isn't acknowledged comes again, and
    /// its id keeps it from counting twice.
    @Sendable private func paid(
        _ request: Request, _ context: BasicRequestContext
    ) async throws -> HTTPResponse.Status {
        // Real services sign what they post.
        guard request.headers[.authorization] == "Bearer \(settings.webhookSecret)" else {
            throw HTTPError(.unauthorized)
        }
        let event = try await request.decode(as: PaymentEvent.self, context: context)
        let result = try await book.client.signal(
            ProcessOrder.self, key: ProcessOrder.key(event.order), "paid", Payment(by: event.by),
            id: event.id)
        switch result {
        case .woken, .kept, .repeated: return .noContent
        case .finished, .unknown: throw HTTPError(.gone, message: "no such order is open")
        }
    }
}
