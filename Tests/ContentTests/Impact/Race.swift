import Synchronization
import Tenure
import TenureFoundation

/// Transactions on connections of their own, step by step in an order that somebody else decides.
/// A step that waits for another's lock goes on when it gets it; the steps behind it then follow at
/// once.
struct Race {
    typealias Step = @Sendable (PostgresTransaction) async throws -> Void

    /// What one of them has come to.
    struct End: Sendable {
        var isCommitted = false
        var error: (any Error)?

        /// Its connection broke, or was too slow: the machine stood still.
        var wasLost: Bool {
            let code = (error as? PostgresError)?.code
            return code == .connectionLost || code == .deadlineExceeded || code == .unknownCommit
        }
    }

    let connections: [PostgresConnection]
    /// What the sides do outside of their transactions; named after their places.
    let asides: [PostgresPool]
    let watch: PostgresPool

    static func aside(_ side: Int, _ conninfo: String) throws -> PostgresPool {
        let name = "application_name=aside-\(side)"
        return PostgresPool(
            configuration: try PostgresConfiguration("\(conninfo) \(name)"), size: 1)
    }

    /// - Parameter order: whose step is next; as many of each as it has, COMMIT included.
    func run(_ sides: [[Step]], order: [Int]) async throws -> [End] {
        let gates = sides.map { _ in Gate() }
        return try await withThrowingTaskGroup(of: (Int, End)?.self) { group in
            for (side, steps) in sides.enumerated() {
                let (gate, connection) = (gates[side], connections[side])
                group.addTask {
                    let end = await Self.run(steps, gate, connection)
                    gate.finish()
                    return (side, end)
                }
            }
            group.addTask {
                for side in order {
                    gates[side].permit()
                    try await settle(side, gates[side])
                }
                return nil
            }
            var ends = sides.map { _ in End() }
            for try await case (let side, let end)? in group { ends[side] = end }
            return ends
        }
    }

    private static func run(
        _ steps: [Step], _ gate: Gate, _ connection: PostgresConnection
    ) async -> End {
        var end = End()
        do {
            try await connection.transaction { transaction in
                for step in steps {
                    try await gate.pass()
                    try await step(transaction)
                }
                try await gate.pass()
            }
            end.isCommitted = true
        } catch {
            end.error = error
        }
        return end
    }

    /// Until the side has done what it may, or waits for a lock.
    private func settle(_ side: Int, _ gate: Gate) async throws {
        for look in 0... {
            if gate.isIdle { return }
            guard look % 50 == 49 else {
                await Task.yield()
                continue
            }
            try await Task.sleep(for: .milliseconds(1))
            let isWaiting = try await watch.query(
                """
                SELECT EXISTS (
                    SELECT FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock'
                      AND (pid = $1 OR application_name = $2))
                """, [connections[side].processID, "aside-\(side)"]
            ) { try $0.decode(0, as: Bool.self) }
            if isWaiting == [true] { return }
        }
    }

    /// Lets as many steps pass as were permitted.
    final class Gate: Sendable {
        private struct State {
            var permits = 0
            var waiter: CheckedContinuation<Void, Never>?
            var isOver = false
        }
        private let state = Mutex(State())

        /// Whether it has used up its permits, and waits for another.
        var isIdle: Bool { state.withLock { $0.isOver || $0.permits == 0 && $0.waiter != nil } }

        func permit() {
            let waiter = state.withLock { state in
                if state.waiter == nil { state.permits += 1 }
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }

        func pass() async throws {
            await withCheckedContinuation { waiter in
                let goesOn = state.withLock { state in
                    guard state.permits == 0 else {
                        state.permits -= 1
                        return true
                    }
                    state.waiter = waiter
                    return false
                }
                if goesOn { waiter.resume() }
            }
        }

        func finish() { state.withLock { $0.isOver = true } }
    }
}
