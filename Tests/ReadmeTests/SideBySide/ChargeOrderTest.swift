import Tenure
import TenureTestKit
import Testing

@Test func `an order is charged, and marked`() async throws {
    let pool = try await openShop()
    try await pool.query("INSERT INTO orders (id) VALUES (7)")
    let gateway = TestGateway()
    let end = try await TestRun(ChargeOrder(order: 7), on: pool).run(with: payments(gateway))
    #expect(end.became == .completed)
    #expect(gateway.charged == [7])
    #expect(try await pool.query("SELECT 1 FROM orders WHERE charged_at IS NOT NULL") == 1)
}
