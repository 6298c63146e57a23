import FoundationEssentials
import HTTPTransport
import Tenure
import TenureWorker
import Web

/// The jobs of a check run: its root, its end, batches of its own pages, and single foreign
/// targets. Each is one commit, with what the visits came to and those that follow from them.
struct RunVisits: Sendable {
    let parts: ContentParts
    let context: JobContext

    /// The root of a run, its end, some of its pages, or one foreign target of it.
    func check(_ job: DependencyCheck) async throws -> JobOutcome {
        let found: CheckRun?
        do {
            found = try await run(job.run)
        } catch let error as ContentError {
            return .discard(reason: "the run can't be worked on: \(error)")
        }
        guard let run = found else { return .discard(reason: "no such run") }
        let place = Place(run: run, url: try WebURL.parse(job.url), job.depth, job.hops)
        switch job.scope {
        case .site, .links: return try await begin(run)
        case .ended: return try await end(run)
        case .pages:
            let urls = try (job.urls ?? [job.url]).map { try WebURL.parse($0) }
            // What the site may is not what another may.
            guard !place.isForeign, urls.allSatisfy({ $0.origin == run.scope.origin }) else {
                return .discard(reason: "a page that isn't of the checked site")
            }
            return try await PageBatch(visits: self, place: place).visit(urls)
        case .target, .confirm: return try await look(at: place, job)
        case .changed: return .discard(reason: "a change is no part of a run")
        }
    }

    private func look(at place: Place, _ job: DependencyCheck) async throws -> JobOutcome {
        try context.checkRight()
        let policy = try policy(place)
        switch try await parts.gate.ask(place.url, policy, in: context.queue) {
        case .no(let visit), .silent(let visit): return try await settle(visit, at: place)
        case .again: return .snooze(for: .zero)
        case .wait(let pause): return try await settle(.onHold(for: pause), at: place)
        case .go: break
        }
        try context.checkRight()
        let asksWhole = job.asksWhole ?? false
        var visit = try await parts.visitor.look(place.url, policy, whole: asksWhole)
        if visit.wantsWhole {
            if parts.isPaced {
                return try await context.goOn(in: parts.lane(of: job.url), as: job.askingWhole)
            }
            visit = try await parts.visitor.look(place.url, policy, whole: true)
        }
        return try await settle(visit, at: place)
    }

    private func run(_ id: UUID?) async throws -> CheckRun? {
        guard let id else { return nil }
        return try await parts.runs.run(id, parts.configuration)
    }

    private func begin(_ run: CheckRun) async throws -> JobOutcome {
        let planned = try await parts.pool.execute(ListUnvisited(run: run.id))
        return try await context.commit { transaction in
            let discovery = Discovery(run: run, parts: parts, context: context, depth: 0, hops: 0)
            try discovery.enqueue(planned, in: transaction)
        }
    }

    private func end(_ run: CheckRun) async throws -> JobOutcome {
        _ = try await ItemChange(parts: parts, context: context).dropChecks(of: nil)
        // The long way to the few that are missing, before the transaction that writes them.
        let (_, missing) = try await parts.pool.pipeline(
            PlanQuickly(), ListMissingNames(run: run.id), deadline: .seconds(300))
        try context.checkRight()
        return try await context.commit { transaction in
            _ = try await transaction.execute(RememberMissing(fragments: missing))
            _ = try await transaction.execute(RememberFound(run: run.id, missing: missing))
            _ = try await transaction.execute(FinishCheck(run: run.id))
        }
    }

    /// The checked site may be at an address that foreign targets may not lead to.
    func policy(_ place: Place) throws -> RequestPolicy {
        let configuration = parts.configuration
        let addresses =
            try place.isForeign
            ? AddressPolicy(allowed: configuration.allowedAddresses)
            : configuration.addresses(ofSite: place.run.options)
        return RequestPolicy(
            userAgent: configuration.userAgent(for: place.run.options.contact),
            limits: place.run.limits(configuration.limits), addresses: addresses)
    }
}

/// Where in a run a visit stands.
struct Place: Sendable {
    let run: CheckRun
    let url: WebURL
    let depth: Int
    let hops: Int

    init(run: CheckRun, url: WebURL, _ depth: Int?, _ hops: Int?) {
        self.run = run
        self.url = url
        self.depth = depth ?? 0
        self.hops = hops ?? 0
    }

    var scopePlace: Scope.Place { run.scope.place(of: url) }

    var isForeign: Bool {
        if case .foreign = scopePlace { true } else { false }
    }

    /// Redirects are followed this far; the report draws the line at half of it.
    static let mostHops = 20
    /// Links on the way from the start to a page, at most: nobody gets there, but a payload says
    /// any number.
    static let deepest = 1_000_000
}
