import Tenure
import TenureFoundation
import TenureWorker
import Web

/// A look at one target outside of any check: a second look, or one that somebody asked for.
struct TargetLook: DependencyJob {
    var scope = DependencyScope.target
    let url: String
    /// Who answers for the request; nil for the worker's own.
    var contact: String?

    init(_ url: String) { self.url = url }

    /// Another look at a suspect.
    init(confirming url: String, contact: String? = nil) {
        (scope, self.url, self.contact) = (.confirm, url, contact)
    }

    /// Only `url` has to be there: payloads are written by hand, too.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scope = try container.decodeIfPresent(DependencyScope.self, forKey: .scope) ?? .target
        url = try container.decode(String.self, forKey: .url)
        contact = try container.decodeIfPresent(String.self, forKey: .contact)
    }

    var key: String { JobKey.make(scope.rawValue, url) }

    /// Those that may wait for a target.
    static func all(at url: String) -> [TargetLook] {
        [TargetLook(url), TargetLook(confirming: url)]
    }

    func run(_ parts: ContentParts, _ context: JobContext) async throws -> JobOutcome {
        let url = try WebURL.parse(url).withoutFragment
        if scope == .confirm {
            let known = try await parts.pool.execute(DescribeTarget(url: url.href)).first
            guard known?.state == .suspect else { return .completed }
        }
        let trip = Trip(
            parts: parts, context: context, contact: contact, waitsForRobots: false)
        let end = try await trip.follow(url, trip.trail(from: url), as: self) {
            url, policy, asksWhole in
            try await parts.visitor.look(url, policy, whole: asksWhole)
        }
        switch end {
        case .goOn(let outcome): return outcome
        case .deferred(let visit, let host): return visit.snooze(host)
        case .visit(let visit):
            try context.checkRight()
            let memory = TargetMemory(context: context, parts: parts, contact: contact)
            return try await context.commit { transaction in
                _ = try await transaction.execute(StoreTargets(hrefs: [url.href]))
                _ = try await memory.take([(url, visit)], strict: false, in: transaction)
            }
        }
    }
}
