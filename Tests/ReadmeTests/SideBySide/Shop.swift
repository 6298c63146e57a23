import Synchronization
import Tenure
import TestSupport

/// Who takes the money.
protocol Gateway: Sendable {
    func charge(_ order: Int, idempotencyKey: String) async throws
}

/// Remembers what was charged.
final class TestGateway: Gateway {
    private let orders = Mutex<[Int]>([])

    var charged: [Int] { orders.withLock { $0 } }

    func charge(_ order: Int, idempotencyKey: String) async throws {
        orders.withLock { $0.append(order) }
    }
}

/// A database of the test's own, with orders in it.
func makeShop() async throws -> String {
    let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
    let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 1)
    try await pool.simple("CREATE TABLE orders (id bigint PRIMARY KEY, charged_at timestamptz)")
    await pool.close()
    return conninfo
}

func openShop() async throws -> PostgresPool {
    let conninfo = try await makeShop()
    return PostgresPool(configuration: try PostgresConfiguration(conninfo))
}
