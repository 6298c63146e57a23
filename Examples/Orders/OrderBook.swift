import Hummingbird
import Tenure

/// The program's own tables, and what is done to orders.
struct OrderBook: Sendable {
    let pool: PostgresPool
    let client: TenureClient

    static func makeTables(_ pool: PostgresPool) async throws {
        try await pool.simple(
            """
            CREATE TABLE IF NOT EXISTS orders (
                id bigint PRIMARY KEY, item text NOT NULL, state text NOT NULL DEFAULT 'placed');
            CREATE TABLE IF NOT EXISTS shipment (
                order_id bigint PRIMARY KEY REFERENCES orders, charge text NOT NULL,
                paid_by text NOT NULL);
            CREATE TABLE IF NOT EXISTS mail (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, order_id bigint NOT NULL,
                body text NOT NULL);
            """)
    }

    /// The order and its job, or neither.
    /// - Returns: false where there is such an order already.
    func place(_ order: Int, item: String) async throws -> Bool {
        try await pool.transaction { transaction in
            let placed = try await transaction.query(
                "INSERT INTO orders (id, item) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                [order, item])
            guard placed == 1 else { return false }
            try client.enqueue(ProcessOrder(order: order, wish: .deliver), in: transaction)
            return true
        }
    }

    /// Marks it, and supersedes the job that would have delivered it.
    /// - Returns: false where it is shipped, cancelled or given up already, or was never placed.
    func cancel(_ order: Int) async throws -> Bool {
        try await pool.transaction { transaction in
            let cancelled = try await transaction.query(
                "UPDATE orders SET state = 'cancelled' WHERE id = $1 AND state = 'placed'",
                [order])
            guard cancelled == 1 else { return false }
            try client.enqueue(ProcessOrder(order: order, wish: .cancel), in: transaction)
            return true
        }
    }

    func find(_ order: Int) async throws -> OrderView? {
        let mails = try await pool.query(
            "SELECT body FROM mail WHERE order_id = $1 ORDER BY id", [order]
        ) { try $0.decode(0, as: String.self) }
        return try await pool.query(
            """
            SELECT o.item, o.state, s.charge, s.paid_by
              FROM orders AS o LEFT JOIN shipment AS s ON s.order_id = o.id
             WHERE o.id = $1
            """, [order]
        ) { row in
            OrderView(
                item: try row.decode(0), state: try row.decode(1),
                charge: try row.decode(2, as: String?.self),
                paidBy: try row.decode(3, as: String?.self), mails: mails)
        }.first
    }
}

struct OrderView: ResponseEncodable {
    let item: String
    let state: String
    let charge: String?
    let paidBy: String?
    let mails: [String]
}
