import Tenure
import TenureWorker

/// What another driver has: an open transaction that runs SQL and gives back text.
protocol OtherTransaction: Sendable {
    func run(_ sql: String, _ values: [String?]) async throws -> [[String?]]
}

struct LentTransaction: SQLExecutor {
    let transaction: any OtherTransaction
    func execute(sql: String, parameters: [String?]) async throws -> [[String?]] {
        try await transaction.run(sql, parameters)
    }
}

func uploadElsewhere(_ transaction: any OtherTransaction, _ client: TenureClient) async throws {
    _ = try await transaction.run("INSERT INTO picture (id, file) VALUES (9, 'owl.png')", [])
    let lent = LentTransaction(transaction: transaction)
    try await client.enqueue(
        [NewJob(MakeThumbnail(picture: 9), .superseding("picture-9"))], on: lent)
}
