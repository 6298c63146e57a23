import FoundationEssentials
import Tenure
import TenureWorker
import Web

/// Takes a visit into what is remembered of its target, over all runs.
struct TargetMemory: Sendable {
    let url: WebURL
    let context: JobContext
    let parts: ContentParts

    /// - Returns: how the target counts from now on.
    func take(
        _ visit: Visit, strict: Bool, in transaction: PostgresTransaction
    ) async throws -> TargetState {
        let found = try await transaction.execute(ReadTarget(href: url.href)).first
        guard var history = found else { return visit.state }
        let before = history.state
        let again = history.take(visit, strict: strict, now: Date())
        _ = try await transaction.execute(
            UpdateTarget(href: url.href, before: before, history: history, visit: visit))
        if let again {
            var options = EnqueueOptions()
            options.runTime = .after(again)
            options.lane = parts.lane(of: url.href)
            let look = DependencyCheck(target: url.href)
            try context.client.enqueue(
                look, .keeping(look.key), options: options, in: transaction)
        }
        return history.state
    }
}
