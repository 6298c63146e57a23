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
        if job.scope == .confirm {
            let known = try await parts.pool.execute(DescribeTarget(url: url.href)).first
            guard known?.state == .suspect else { return .completed }
        }
        let trip = Trip(
            parts: parts, context: context, contact: job.contact, waitsForRobots: false)
        let end = try await trip.follow(url, trip.trail(from: url), as: job) {
            url, policy, asksWhole in
            try await parts.visitor.look(url, policy, whole: asksWhole)
        }
        switch end {
        case .goOn(let outcome): return outcome
        case .deferred(let visit, let host): return visit.snooze(host)
        case .visit(let visit): return try await remember(visit, url, job.contact)
        }
    }

    private func remember(
        _ visit: Visit, _ url: WebURL, _ contact: String?
    ) async throws -> JobOutcome {
        try context.checkRight()
        return try await context.commit { transaction in
            _ = try await transaction.execute(StoreTargets(hrefs: [url.href]))
            let memory = TargetMemory(
                url: url, context: context, parts: parts, contact: contact)
            _ = try await memory.take(visit, strict: false, in: transaction)
        }
    }
}
