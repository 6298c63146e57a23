import Tenure

func look(at pool: PostgresPool) async throws {
    let inspector = Inspector(pool: pool)
    for queue in try await inspector.queues() {
        print("\(queue.name): \(queue.due) due, \(queue.running) running")
    }
}
