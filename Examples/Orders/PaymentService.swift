import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Asks a payment service by HTTP.
struct PaymentService: Sendable {
    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    let url: URL

    /// The service takes the same key for the same charge, however often it is asked.
    /// - Returns: the charge's id.
    func charge(_ order: Int, idempotencyKey: String) async throws -> String {
        struct Charge: Decodable {
            let id: String
        }
        let answer = try await post("charges", order: order, key: idempotencyKey)
        return try JSONDecoder().decode(Charge.self, from: answer).id
    }

    /// Takes the order's charge back, and has the service refuse any that comes later.
    func void(_ order: Int) async throws {
        _ = try await post("voids", order: order, key: "void \(order)")
    }

    private func post(_ path: String, order: Int, key: String) async throws -> Data {
        var request = URLRequest(url: url.appendingPathComponent(path))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
        request.httpBody = try JSONEncoder().encode(["order": order])
        let (body, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else {
            throw Refused(description: "the payment service answered \(status)")
        }
        return body
    }
}
