import HTTPTransport
import Tenure
import TenureFoundation
import TenureWorker
import Web

/// Works on the jobs of a check. Each is one commit, with what the visits came to and those that
/// follow from them.
struct CheckVisits: Sendable {
    let parts: ContentParts
    let context: JobContext

    let targets: KnownTargets
    let checks: CheckCache
    let room: PageRoom

    func begin(_ job: CheckBegin) async throws -> JobOutcome {
        try await within(job.check) { check in
            let planned = try await parts.pool.execute(ListUnvisited(check: check.id))
            return try await context.commit { transaction in
                let discovery = Discovery(
                    check: check, parts: parts, context: context, depth: 0, hops: 0)
                try discovery.enqueue(planned, in: transaction)
            }
        }
    }

    func visit(_ job: PageVisits) async throws -> JobOutcome {
        try await within(job.check) { check in
            var seen: Set<String> = []
            let urls = try job.urls.map { try WebURL.parse($0) }
                .filter { seen.insert($0.href).inserted }
            // What the site may is not what another may.
            guard let first = urls.first, check.scope.place(of: first) != .foreign,
                urls.allSatisfy({ $0.origin == first.origin })
            else {
                return .discard(reason: "a page that isn't of the checked site")
            }
            let place = Place(check: check, url: first, depth: job.depth, hops: job.hops)
            return try await PageGroup(visits: self, place: place).visit(urls)
        }
    }

    func look(_ job: ForeignVisit) async throws -> JobOutcome {
        try await within(job.check) { check in
            let url = try WebURL.parse(job.url)
            return try await look(
                at: Place(check: check, url: url, depth: job.depth, hops: job.hops), job)
        }
    }

    private func look(at place: Place, _ job: ForeignVisit) async throws -> JobOutcome {
        try context.checkRight()
        let policy = try policy(place)
        switch try await parts.gate.ask(place.url, policy, in: context.queue) {
        case .no(let visit), .silent(let visit): return try await settle(visit, at: place)
        case .again: return .snooze(for: .zero)
        case .wait(let pause): return try await settle(.onHold(for: pause), at: place)
        case .go: break
        }
        try context.checkRight()
        let isRead = try await isRead(place)
        var visit = try await ask(place) { headers in
            isRead
                ? try await parts.visitor.get(
                    place.url, policy, wanted: Self.wanted, headers: headers)
                : try await parts.visitor.look(
                    place.url, policy, whole: job.asksWhole, headers: headers)
        }
        if visit.wantsWhole, !visit.isAccepted {
            if parts.isPaced {
                return try await context.goOn(in: parts.lane(of: job.url), as: job.askingWhole)
            }
            visit = try await ask(place) { headers in
                try await parts.visitor.look(place.url, policy, whole: true, headers: headers)
            }
        }
        return try await settle(judgedByItsWords(visit, at: place), at: place)
    }

    /// Whether more of a foreign page is wanted than that it is there.
    private func isRead(_ place: Place) async throws -> Bool {
        if place.check.options.rules.aspects.softMissing { return true }
        guard place.check.options.rules.looksIntoForeign else { return false }
        let wanted = ListPlaces(check: place.check.id, url: place.url)
        return try await !parts.pool.execute(wanted).isEmpty
    }

    /// Makes a request with what the check's rules have it say.
    func ask(
        _ place: Place, _ request: (HTTPHeaders) async throws -> Visit
    ) async throws -> Visit {
        let headers: HTTPHeaders
        do {
            headers = try place.check.filter.headers(for: place.url, parts.configuration.secrets)
        } catch let error as ContentError {
            return .failed(error.code.description, error.description)
        }
        return place.check.judged(try await request(headers), of: place.url)
    }

    /// - Parameter prepare: finds what is to be told of a check of a site; what it returns writes
    ///   that in the transaction that ends the check.
    func end(
        _ job: CheckEnd,
        telling prepare: (StartedCheck, UUID, CheckFindings) async throws -> (
            @Sendable (PostgresTransaction) async throws -> Void
        )
    ) async throws -> JobOutcome {
        try await within(job.check) { check in
            _ = try await ItemChange(parts: parts, context: context).dropChecks(of: nil)
            // One that ends again, by an operator's hand, has been told of.
            let ended = try await parts.pool.execute(ReadCheck(check: check.id)).first?.finishedAt
            let hasLooked =
                check.options.rules.aspects.mail
                ? try await CheckMail(check: check.id, parts: parts).run() : true
            // The long way to what was found, before the transaction that writes it.
            var found = try await CheckFindings.find(
                check, most: parts.configuration.heldFindings, in: parts.pool)
            found.isWhole = found.isWhole && hasLooked
            let missing = found.missing
            // What isn't among those that were missed is taken for found.
            let isWhole = found.isWhole
            let kept =
                ended == nil
                ? KeepFindings.all(Finding.group(found.rows, check), of: check.id) : []
            var tell: (@Sendable (PostgresTransaction) async throws -> Void)?
            if ended == nil, let site = check.site {
                tell = try await prepare(check, site, found)
            }
            try context.checkRight()
            return try await context.commit { [tell] transaction in
                // The site first, as everywhere.
                try await tell?(transaction)
                for some in kept { _ = try await transaction.execute(some) }
                // One that nobody looked for was not found.
                if check.options.rules.checksFragments {
                    _ = try await transaction.execute(RememberMissing(fragments: missing))
                    _ = try await transaction.execute(RememberPlaces(check: check.id))
                    if isWhole {
                        let remember = RememberFound(check: check.id, missing: missing)
                        _ = try await transaction.execute(remember)
                    }
                }
                _ = try await transaction.execute(FinishCheck(check: check.id))
            }
        }
    }

    func within(
        _ id: UUID, _ body: (StartedCheck) async throws -> JobOutcome
    ) async throws -> JobOutcome {
        let found: StartedCheck?
        do {
            found = try await checks.check(id, parts.configuration)
        } catch let error as ContentError {
            return .discard(reason: "the check can't be worked on: \(error)")
        }
        guard let found else { return .discard(reason: "no such check") }
        return try await body(found)
    }

    /// The checked site may be at an address that foreign targets may not lead to.
    func policy(_ place: Place) throws -> RequestPolicy {
        let configuration = parts.configuration
        let addresses =
            try place.isForeign
            ? AddressPolicy(allowed: configuration.allowedAddresses)
            : configuration.addresses(ofSite: place.check.options(at: place.url))
        return RequestPolicy(
            userAgent: configuration.userAgent(
                for: place.check.options.contact, as: place.check.options.rules.userAgent),
            limits: place.check.limits(configuration.limits), addresses: addresses)
    }
}

/// Where in a check a visit stands.
struct Place: Sendable {
    let check: StartedCheck
    let url: WebURL
    let depth: Int
    let hops: Int

    var isForeign: Bool { check.scope.place(of: url) == .foreign }

    /// Links on the way from the start to a page, at most: nobody gets there, but a payload says
    /// any number.
    static let deepest = 1_000_000
}
