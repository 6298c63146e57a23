import Tenure

func place(_ order: Int, _ pool: PostgresPool, _ client: TenureClient) async throws {
    try await pool.transaction { transaction in
        try await transaction.query("INSERT INTO orders (id) VALUES ($1)", [order])
        try client.enqueue(ChargeOrder(order: order), in: transaction)
    }
}
