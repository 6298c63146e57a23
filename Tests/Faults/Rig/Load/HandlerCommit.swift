import FaultSupport
import Tenure
import TenureFoundation
import TenureWorker

/// A handler's commit: the row that is its visible effect, and how it ended.
struct HandlerCommit: Sendable {
    let plan: Plan
    let context: JobContext
    let tools: WorkerTools

    func run() async throws -> JobOutcome {
        tools.note("commitStarting", context)
        let trace = CallTrace()
        do {
            let outcome = try await CallTrace.$current.withValue(trace) {
                try await context.commit { try await write($0) }
            }
            answer("committed", trace, nil)
            return outcome
        } catch let late as LateResult {
            answer("late", trace, late)
            throw late
        } catch let open as PostgresError where open.code == .unknownCommit && !trace.isResolved {
            // Nobody could find out: there is no answer to write down.
            throw open
        } catch {
            answer("failed", trace, error)
            throw error
        }
    }

    private func write(_ transaction: PostgresTransaction) async throws {
        try await transaction.query(
            """
            INSERT INTO effect (job, fence, generation, key, kind, payload_tag)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                context.jobID.uuid, context.fence.rawValue, context.generation?.rawValue,
                context.key, context.kind.rawValue, plan.tag,
            ])
        if plan.behaviour == .following {
            let follower = Plan(tag: plan.tag.map { "\($0)+" }, milliseconds: [20])
            try context.client.enqueue(Work(plan: follower), in: transaction)
        }
    }

    private func answer(_ answer: String, _ trace: CallTrace, _ error: (any Error)?) {
        tools.note(
            "commitAnswered", context,
            [
                ("answer", .string(answer)), ("error", error.map { .string("\($0)") }),
                ("sqlstate", (error as? PostgresError)?.sqlState.map { .string($0) }),
                ("unknownResolved", trace.isResolved ? true : nil),
            ])
    }
}
