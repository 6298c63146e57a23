import Tenure
import TenureFoundation
import TenurePostgres

/// What a run knows of its job's steps. Its handler's children share it.
final class StepLedger: Sendable {
    private struct State {
        var used: Set<String> = []
        var known: [String: StepType]?
        var waits: [Wait] = []
        /// So many steps are under way.
        var active = 0
        /// The run ends, to wait: nothing begins any more.
        var isClosed = false
        var leaving: [CheckedContinuation<Void, Never>] = []
        /// Signals that the handler has got, each with the task that writes it down.
        var receipts: [UUID: Task<Void, any Error>] = [:]
    }
    private let state = Lock(State())
    /// The step that the task does, or does a part of.
    @TaskLocal static var current: String?

    /// What the run has ended for.
    var waits: [Wait] { state.withLock { $0.waits } }

    func add(_ wait: Wait) { state.withLock { $0.waits.append(wait) } }

    /// Each step of a run has a name of its own: it is by that that a later run finds it.
    /// - Throws: `TenureError` with `.misuse` for a name that the run has used.
    func use(_ name: String, of job: JobID) throws {
        try JobLimits.check(name: name, of: "the name of a step", longest: JobLimits.longestName)
        guard state.withLock({ $0.used.insert(name).inserted }) else {
            throw TenureError(
                .misuse,
                "job \(job) uses the step \"\(name)\" twice in one run: give each step, signal and "
                    + "sleep of a handler a name of its own, such as \"\(name) 2\"")
        }
    }

    /// A step that failed before anything was kept may be tried again.
    func giveBack(_ name: String) { _ = state.withLock { $0.used.remove(name) } }

    /// Does a step. No wait of another child ends the run meanwhile: what is done is kept.
    /// - Throws: `CancellationError` where one has; what `body` throws.
    func during<Value>(
        _ step: String, _ body: () async throws -> Value
    ) async throws -> Value {
        try state.withLock { state in
            if state.isClosed { throw CancellationError() }
            state.active += 1
        }
        defer {
            let leaving = state.withLock { state in
                state.active -= 1
                guard state.active == 0 else { return [CheckedContinuation<Void, Never>]() }
                defer { state.leaving = [] }
                return state.leaving
            }
            for one in leaving { one.resume() }
        }
        return try await Self.$current.withValue(step) { try await body() }
    }

    /// Returns when no step is under way, and lets none begin from then on.
    func close() async {
        while !state.withLock({ state in
            if state.active == 0 { state.isClosed = true }
            return state.isClosed
        }) {
            await withCheckedContinuation { continuation in
                let isIdle = state.withLock { state in
                    if state.active > 0 { state.leaving.append(continuation) }
                    return state.active == 0
                }
                if isIdle { continuation.resume() }
            }
        }
    }

    /// Writes down that a signal was received, while the handler goes on with it.
    /// - Returns: false, and nothing is written, where another child has just received it.
    func receive(
        _ signal: UUID, on executor: any TaskExecutor,
        _ write: @escaping @Sendable () async throws -> Void
    ) -> Bool {
        state.withLock { state in
            if state.receipts[signal] != nil { return false }
            // Unstructured because the handler goes on meanwhile: whatever the run commits, and its
            // end, waits for it (`received`).
            state.receipts[signal] = Task(executorPreference: executor) { try await write() }
            return true
        }
    }

    /// Returns, or throws, when none of what was received is on its way any more.
    /// - Throws: why something was not written down, also later on: the run may commit nothing.
    func received() async throws {
        var failure: (any Error)?
        for (signal, receipt) in state.withLock({ $0.receipts }) {
            let result = await withTaskCancellationHandler {
                await receipt.result
            } onCancel: {
                receipt.cancel()
            }
            switch result {
            case .success: state.withLock { $0.receipts[signal] = nil }
            case .failure(let error): failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Whether it is known what is behind the job.
    var isKnown: Bool { state.withLock { $0.known != nil } }

    func know(_ steps: [StepType]) {
        let steps = Dictionary(steps.map { ($0.name, $0) }) { first, _ in first }
        state.withLock { $0.known = $0.known ?? steps }
    }

    /// What is behind the job, without the results; read once. What the run itself adds is asked
    /// for by nobody: a name is used once.
    func known(
        _ load: () async throws -> [StepType]
    ) async throws -> [String: StepType] {
        if let known = state.withLock({ $0.known }) { return known }
        know(try await load())
        return state.withLock { $0.known } ?? [:]
    }
}
