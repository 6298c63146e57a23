import Synchronization
import TenurePostgres

/// One of the two transactions, as far as it has come.
final class Side: Sendable {
    struct State: Sendable {
        var isOver = false
        var hasCommitted = false
        var answers: [String] = []
        var failure: String?
        var sqlState: String?
    }

    let name: String
    let operation: Operation
    let connection: PostgresConnection
    private let guarded = Mutex(State())

    init(_ name: String, _ operation: Operation, _ connection: PostgresConnection) {
        self.name = name
        self.operation = operation
        self.connection = connection
    }

    var state: State { guarded.withLock { $0 } }

    /// From BEGIN to COMMIT. An error ends the transaction.
    func run() async {
        await start(steps: operation.steps.count)
        await finish(from: operation.steps.count)
    }

    /// BEGIN and the first steps.
    func start(steps: Int) async {
        do {
            try await connection.simple("BEGIN\(operation.isolation ?? "")")
            for step in operation.steps.prefix(steps) { try await perform(step) }
        } catch {
            await fail(error)
        }
    }

    /// The other steps, and COMMIT.
    func finish(from step: Int) async {
        if state.isOver { return }
        do {
            for step in operation.steps.dropFirst(step) { try await perform(step) }
            try await commit()
        } catch {
            await fail(error)
        }
    }

    private func perform(_ step: String) async throws {
        let sql = step.replacing("$me", with: name)
        let rows = try await connection.query(sql) { try $0.decode(0, as: String?.self) }
        guarded.withLock { $0.answers += rows.compactMap(\.self) }
    }

    private func commit() async throws {
        try await connection.simple("COMMIT")
        guarded.withLock {
            $0.isOver = true
            $0.hasCommitted = true
        }
    }

    private func fail(_ error: any Error) async {
        let known = error as? PostgresError
        try? await connection.simple("ROLLBACK")
        guarded.withLock {
            $0.isOver = true
            $0.sqlState = known?.sqlState
            $0.failure = known.map { "\($0.sqlState ?? "-") \($0.message)" } ?? "\(error)"
        }
    }
}
