import Tenure
import TenurePostgres

/// Between a process and the store: every call's request may be lost or late, its reply lost or
/// late, and the store away.
final class Network: @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    let world: World
    let store: SimulatedStore
    var faults: FaultProfile
    /// The store answers nobody.
    var isStoreAway = false
    /// Places whose messages don't get through.
    var cutOff: Set<Int> = []
    /// For calls that are given none, in nanoseconds.
    let deadline: Int64

    init(world: World, store: SimulatedStore, faults: FaultProfile, deadline: Int64) {
        self.world = world
        self.store = store
        self.faults = faults
        self.deadline = deadline
    }

    func isReachable(_ process: SimulatedProcess) -> Bool {
        !isStoreAway && !cutOff.contains(process.place)
    }

    func delay() -> Int64 {
        let isSlow = world.random.oneIn(faults.slowOneIn)
        let range = isSlow ? 1000...max(1000, faults.slowest) : 50...900
        return Int64(world.random.within(range)) * 1000
    }

    /// What the client hears when nothing comes: at once from a connection that was reset, or
    /// not before its deadline.
    static let lost = PostgresError(.connectionLost, "the connection broke")
    static let tooLate = PostgresError(.deadlineExceeded, "no answer in time")
    static let away = PostgresError(.connectFailed, "the server can't be reached")

    /// One call: the operation is carried out at the store when, and if, the request arrives.
    /// - Parameter isCommit: its caller can't be cancelled, and doesn't learn what became of it.
    func call<Answer>(
        _ process: SimulatedProcess, _ name: StaticString, deadline: Int64? = nil,
        isCommit: Bool = false, in transaction: Int? = nil,
        _ operation: @escaping (SimulatedStore) throws -> Answer
    ) async throws -> Answer {
        if process.isGone { throw PostgresError(.closed, "the process is gone") }
        if !isCommit { try Task.checkCancellation() }
        let call = Call<Answer>(
            network: self, process: process, name: name, isCommit: isCommit,
            transaction: transaction, operation: operation)
        let answer = try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                call.start(continuation, deadline: deadline ?? self.deadline)
            }
        } onCancel: {
            if !isCommit { call.finish(.failure(CancellationError())) }
        }
        return answer.value
    }
}

/// One thread runs it all: nothing is really sent.
struct Unsent<Value>: @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    let value: Value
}

/// One call on its way.
private final class Call<Answer>: @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    private let network: Network
    private let process: SimulatedProcess
    private let name: StaticString
    private let isCommit: Bool
    private let transaction: Int?
    private let operation: (SimulatedStore) throws -> Answer
    private var continuation: UnsafeContinuation<Unsent<Answer>, any Error>?
    private var isOver = false
    private var whenGone = 0

    private var world: World { network.world }

    init(
        network: Network, process: SimulatedProcess, name: StaticString, isCommit: Bool,
        transaction: Int?, operation: @escaping (SimulatedStore) throws -> Answer
    ) {
        self.network = network
        self.process = process
        self.name = name
        self.isCommit = isCommit
        self.transaction = transaction
        self.operation = operation
    }

    func start(_ continuation: UnsafeContinuation<Unsent<Answer>, any Error>, deadline: Int64) {
        if isOver { return continuation.resume(throwing: CancellationError()) }
        self.continuation = continuation
        whenGone = process.whenGone { [self] in
            finish(.failure(PostgresError(.closed, "the process is gone")))
        }
        let clock = process.clock!
        process.at(clock.moment(of: clock.reading + deadline)) { [self] in
            finish(.failure(Network.tooLate))
        }
        let faults = network.faults
        if !network.isReachable(process) || world.random.oneIn(faults.requestLostOneIn)
            || isCommit && world.random.oneIn(faults.commitLostOneIn * 2)
        {
            return lose(isSilent: world.random.percent(40))
        }
        world.after(network.delay()) { [self] in arrive() }
    }

    private func lose(isSilent: Bool) {
        world.trace.note(world.now, "lost", process.number)
        if let transaction { network.abandon(transaction) }
        if isSilent { return }
        world.after(network.delay()) { [self] in
            process.reach { [self] in finish(.failure(Network.lost)) }
        }
    }

    private func arrive() {
        guard network.isReachable(process) else { return lose(isSilent: true) }
        let result: Result<Answer, any Error>
        do {
            result = .success(try operation(network.store))
        } catch let blocked as Blocked {
            // It waits for the lock, also when nobody waits for it any more.
            if isOver && world.random.percent(50) { return }
            network.store.transactions[blocked.transaction]?.waiters.append { [self] in
                world.after(0) { [self] in arrive() }
            }
            return
        } catch let refusal as StoreRefusal {
            var error = PostgresError(.server, "refused", sqlState: refusal.sqlState)
            error.detail = refusal.detail
            result = .failure(error)
        } catch {
            result = .failure(error)
        }
        world.trace.note(world.now, name, process.number)
        reply(result)
    }

    private func reply(_ result: Result<Answer, any Error>) {
        let faults = network.faults
        if world.random.oneIn(faults.replyLostOneIn)
            || isCommit && world.random.oneIn(faults.commitLostOneIn)
        {
            return lose(isSilent: world.random.percent(40))
        }
        world.after(network.delay()) { [self] in
            guard network.isReachable(process) else { return lose(isSilent: true) }
            process.reach { [self] in finish(result) }
        }
    }

    func finish(_ result: Result<Answer, any Error>) {
        isOver = true
        guard let continuation else { return }
        self.continuation = nil
        process.forget(whenGone)
        continuation.resume(with: result.map { Unsent(value: $0) })
    }
}

extension Network {
    /// The server learns that a transaction's connection is gone, sooner or later.
    func abandon(_ transaction: Int) {
        world.after(Int64(world.random.skewed(0...1_500_000)) * 1000) { [store] in
            store.abort(transaction)
        }
    }
}
