import Foundation

/// From the environment, each with a default for a first try.
struct OrderSettings: Sendable {
    struct Wrong: Error, CustomStringConvertible {
        let description: String
    }

    let database: String
    let port: Int
    /// The payment service; nil: the made-up one, on the next port.
    let payments: URL?
    /// What the payment service proves itself with when it calls.
    let webhookSecret: String
    let paymentDeadline: Duration
    let reviewAfter: Duration

    var madeUpPort: Int { port + 1 }
    var madeUpPayments: URL { URL(string: "http://127.0.0.1:\(madeUpPort)")! }

    init(_ environment: [String: String]) throws {
        func number(_ name: String, _ otherwise: Int) throws -> Int {
            guard let text = environment[name] else { return otherwise }
            guard let number = Int(text), number > 0 else {
                throw Wrong(description: "\(name) is \(text), and has to be a number above 0")
            }
            return number
        }
        database = environment["DATABASE_URL"] ?? ""
        port = try number("PORT", 8080)
        payments = environment["PAYMENTS_URL"].flatMap { URL(string: $0) }
        webhookSecret = environment["WEBHOOK_SECRET"] ?? "a secret of both"
        paymentDeadline = .seconds(try number("PAYMENT_DEADLINE", 3 * 86_400))
        reviewAfter = .seconds(try number("REVIEW_AFTER", 7 * 86_400))
    }
}
