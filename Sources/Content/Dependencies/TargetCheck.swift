import FoundationEssentials
import HTTPTransport
import Tenure
import TenureWorker
import Web

/// A look at one target outside of any run: a second look, or one that somebody asked for.
struct TargetCheck: Sendable {
    let parts: ContentParts
    let context: JobContext

    func run(_ job: DependencyCheck) async throws -> JobOutcome {
        let url = try WebURL.parse(job.url).withoutFragment
        let trip = Trip(parts: parts, context: context)
        let visit = try await trip.follow(url) { url, policy in
            try await parts.visitor.look(url, policy)
        }
        if visit.failure == .deferred {
            return .snooze(for: visit.retryAfter ?? .seconds(60))
        }
        try context.checkRight()
        return try await context.commit { transaction in
            _ = try await transaction.execute(StoreTargets(hrefs: [url.href]))
            let memory = TargetMemory(url: url, context: context, parts: parts)
            _ = try await memory.take(visit, strict: false, in: transaction)
        }
    }
}
