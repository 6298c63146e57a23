import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ServiceLifecycle
import Synchronization

/// Stands for a payment service, on loopback. As real ones may, it loses the answer to the first
/// request for a charge, which it has made nevertheless.
final class MadeUpPayments: Sendable {
    struct Charge: ResponseEncodable {
        let id: String
        let order: Int
        var requests = 1
        var isVoid = false
    }

    private struct State {
        /// By the idempotency key.
        var charges: [String: Charge] = [:]
        var voided: Set<Int> = []
    }

    private let state = Mutex(State())

    static func serve(_ settings: OrderSettings, _ logger: Logger) -> any Service {
        Application(
            router: MadeUpPayments().router(),
            configuration: .init(address: .hostname("127.0.0.1", port: settings.madeUpPort)),
            logger: logger)
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.post("charges") { request, context in
            let order = try await request.decode(as: [String: Int].self, context: context)["order"]
            let name = HTTPField.Name("Idempotency-Key")
            guard let order, let name, let key = request.headers[name] else {
                throw HTTPError(.badRequest)
            }
            let charge = try self.charge(order, key)
            guard charge.requests > 1 else { throw HTTPError(.serviceUnavailable) }
            return charge
        }
        router.post("voids") { request, context -> HTTPResponse.Status in
            let order = try await request.decode(as: [String: Int].self, context: context)["order"]
            guard let order else { throw HTTPError(.badRequest) }
            self.void(order)
            return .ok
        }
        router.get("charges") { _, _ in
            self.state.withLock { $0.charges.values.sorted { $0.order < $1.order } }
        }
        return router
    }

    private func charge(_ order: Int, _ key: String) throws -> Charge {
        try state.withLock { state in
            guard !state.voided.contains(order) else { throw HTTPError(.conflict) }
            state.charges[key, default: Charge(id: "ch-\(order)", order: order, requests: 0)]
                .requests += 1
            return state.charges[key]!
        }
    }

    private func void(_ order: Int) {
        state.withLock { state in
            state.voided.insert(order)
            for (key, charge) in state.charges where charge.order == order {
                state.charges[key]?.isVoid = true
            }
        }
    }
}
