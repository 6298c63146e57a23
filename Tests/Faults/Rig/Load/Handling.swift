import FaultSupport
import Tenure
import TenureSystem
import TenureWorker

/// One run of a handler, written down step by step.
struct Handling: Sendable {
    let plan: Plan
    let context: JobContext
    let tools: WorkerTools

    func run() async throws -> JobOutcome {
        tools.note("handlerStarted", context, [("attempt", JSONValue(context.attempt))])
        do {
            let outcome = try await watched()
            tools.note("handlerEnded", context, [("how", "returned")])
            return outcome
        } catch {
            let end = HandlerEnd.describe(error)
            tools.note(
                "handlerEnded", context,
                [("how", .string(end.how)), ("wrapped", end.isWrapped ? true : nil)])
            throw error
        }
    }

    private func watched() async throws -> JobOutcome {
        guard tools.deliversCancellation else { return try await uncancelled { try await act() } }
        return try await withTaskCancellationHandler {
            try await act()
        } onCancel: {
            let reason = context.endReason?.name ?? "unasked"
            tools.note("cancelDelivered", context, [("reason", .string(reason))])
        }
    }

    private func act() async throws -> JobOutcome {
        let isSpared = (plan.times ?? 1) < (plan.behaviour == .snoozing ? context.runs : attempt)
        switch plan.behaviour ?? .steady {
        case .deaf: return try await beDeaf()
        case .stubborn: return try await beStubborn()
        case .crashing:
            try await work()
            try crash()
        case .flaky where !isSpared:
            try await work()
            throw WorkFailed(cause: .planned)
        case .unasked where !isSpared:
            try await work()
            throw CancellationError()
        case .snoozing where !isSpared: return .snooze(for: .milliseconds(300))
        case .wrapping:
            do { try await work() } catch { throw WorkFailed.wrapping(error) }
        case .family: try await workInFamily()
        case .discarding: return .discard(reason: "the plan says so")
        case .stepping: try await TenSteps(context: context).run()
        case .plain:
            try await work()
            return .completed
        default: try await work()
        }
        try effect()
        return try await HandlerCommit(plan: plan, context: context, tools: tools).run()
    }

    private var attempt: Int { context.attempt }

    private var time: Duration {
        let index = min(context.runs, plan.milliseconds.count) - 1
        return .milliseconds(plan.milliseconds[index])
    }

    private func work() async throws { try await Task.sleep(for: time) }

    private func workInFamily() async throws {
        try await withThrowingTaskGroup(of: Void.self) { children in
            for _ in 0..<3 {
                children.addTask {
                    try await withThrowingTaskGroup(of: Void.self) { grandchildren in
                        for _ in 0..<2 { grandchildren.addTask { try await work() } }
                        try await grandchildren.waitForAll()
                    }
                }
            }
            try await children.waitForAll()
        }
    }

    /// Takes no notice, and commits at the end all the same.
    private func beDeaf() async throws -> JobOutcome {
        try await uncancelled {
            try await work()
            return try await HandlerCommit(plan: plan, context: context, tools: tools).run()
        }
    }

    private func beStubborn() async throws -> JobOutcome {
        do {
            try await work()
        } catch is CancellationError {
            // Asked to stop, and going to commit.
        }
        return try await uncancelled {
            try await HandlerCommit(plan: plan, context: context, tools: tools).run()
        }
    }

    /// Unstructured on purpose: nobody cancels it.
    private func uncancelled(
        _ body: @escaping @Sendable () async throws -> JobOutcome
    ) async throws -> JobOutcome {
        try await Task { try await body() }.value
    }

    private func crash() throws -> Never {
        if let folder = tools.crashNotes {
            try CrashNote(job: "\(context.jobID)").write(in: folder)
        }
        if context.attempt % 2 == 0 { _exit(70) }
        kill(getpid(), SIGKILL)
        while true { pause() }
    }

    /// Looks at the right, then tells the outside world.
    private func effect() throws {
        guard plan.hasEffect ?? false, tools.deliversCancellation, let sink = tools.sink else {
            return
        }
        try context.checkRight()
        tools.note("effectStarting", context)
        sink.send(context)
    }
}
