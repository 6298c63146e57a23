import HTTPTransport
import Tenure
import TenureFoundation
import Web

/// Looks at the mail addresses that a check's pages name: whether each is one, and whether its
/// domain takes mail. Nobody is written to.
struct CheckMail: Sendable {
    let check: UUID
    let parts: ContentParts

    /// What is noted of a link whose domains nobody could say anything of.
    static let unasked = "unasked"
    /// Domains that are asked about, at most.
    private static let mostDomains = 1000
    /// How many at a time.
    private static let width = 4
    /// For all of them together.
    private static let longest: Duration = .seconds(60)

    /// Writes down what is wrong, once for all of a check's ends.
    /// - Returns: whether everything could be looked at.
    func run() async throws -> Bool {
        let links = try await parts.pool.execute(
            ListMailLinks(check: check), deadline: .seconds(300))
        let read = links.prefix(ListMailLinks.most).map { raw in
            (raw: raw, addresses: Self.addresses(in: raw))
        }
        let domains = Set(read.flatMap { $0.addresses.compactMap(\.domain) })
        let verdicts = await ask(domains.sorted())
        let noted = read.compactMap { link in
            Self.verdict(on: link.addresses, of: link.raw, verdicts).map {
                NotedMail(raw: link.raw, code: $0.code, detail: $0.detail)
            }
        }
        _ = try await parts.pool.execute(NoteMail(check: check, links: noted))
        return links.count <= ListMailLinks.most && !noted.contains { $0.code == Self.unasked }
    }

    private static func addresses(in raw: String) -> [MailtoURL.Address] {
        if raw.mayBeCut { return [] }
        // Markdown shows an address without its scheme.
        let mail = [raw, "mailto:" + raw].lazy.compactMap { WebURL($0).flatMap(MailtoURL.init) }
        return mail.first?.addresses ?? []
    }

    /// - Returns: nil for a link of which nothing is to be said.
    private static func verdict(
        on addresses: [MailtoURL.Address], of raw: String,
        _ verdicts: [String: MailDomains.Verdict]
    ) -> (code: String, detail: String)? {
        // What was cut off when it was kept can't be judged.
        if raw.mayBeCut { return (unasked, "") }
        for address in addresses {
            if let problem = address.problem { return (FindingCode.badMail, problem) }
        }
        var isUnclear = false
        for domain in addresses.compactMap(\.domain) {
            switch verdicts[domain] {
            case .noDomain: return (FindingCode.noMailServer, "there is no domain \(domain)")
            case .notTaken: return (FindingCode.noMailServer, "\(domain) takes no mail")
            case .unclear, nil: isUnclear = true
            case .taken: break
            }
        }
        return isUnclear ? (unasked, "") : nil
    }

    private func ask(_ domains: [String]) async -> [String: MailDomains.Verdict] {
        let servers = MailDomains(server: parts.configuration.nameServer)
        let end = ContinuousClock.now + Self.longest
        var left = domains.prefix(Self.mostDomains)[...]
        return await withTaskGroup(of: (String, MailDomains.Verdict).self) { group in
            var verdicts: [String: MailDomains.Verdict] = [:]
            func askNext() {
                guard .now < end, !Task.isCancelled, let domain = left.popFirst() else { return }
                group.addTask { (domain, await servers.verdict(on: domain)) }
            }
            for _ in 0..<Self.width { askNext() }
            while let (domain, verdict) = await group.next() {
                verdicts[domain] = verdict
                askNext()
            }
            return verdicts
        }
    }
}

/// A link to mail that leads nowhere, or of which nobody could say.
struct NotedMail: Sendable {
    let raw: String
    let code: String
    let detail: String
}

/// Links to mail of a check's pages, each once.
struct ListMailLinks: PostgresStatement {
    static let most = 10_000
    static let sql = """
        SELECT DISTINCT r.raw FROM content.check_target v
        JOIN content.reference r ON r.item = v.target
        WHERE v.check_id = $1 AND v.follows AND (v.state = 'ok' OR v.is_page) AND \(isMail)
        ORDER BY 1 LIMIT \(most + 1)
        """
    /// What a row `r` of `content.reference` says of its scheme.
    static let isMail = "r.problem = 'scheme' AND r.raw ~* '^[[:space:]]*(mailto:|[^:/?#]+@)'"
    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(check) }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}

struct NoteMail: PostgresStatement {
    static let sql = """
        INSERT INTO content.check_mail (check_id, id, code, detail)
        SELECT $1, content.digest(u.raw), u.code, u.detail
        FROM unnest($2::text[], $3::text[], $4::text[]) AS u (raw, code, detail)
        ORDER BY 2 ON CONFLICT DO NOTHING
        """
    let check: UUID
    let links: [NotedMail]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(links.map(\.raw))
        try parameters.append(links.map(\.code))
        try parameters.append(links.map(\.detail.storable))
    }
}

/// Those links, with every place.
struct FindWrongMail: PostgresStatement {
    static let sql = FoundPlace.cut(
        """
        SELECT r.raw, m.code, NULL::int4, m.detail, NULL::text, 'broken',
               i.url, r.line, r."column", r.kind, r.strength, r.raw, r.words,
               NULL::timestamptz, NULL::timestamptz, r.ordinal
        FROM content.check_target v
        JOIN content.item i ON i.id = v.target
        JOIN content.reference r ON r.item = v.target
        CROSS JOIN LATERAL (
            SELECT m.code, m.detail FROM content.check_mail m
            WHERE m.check_id = $1 AND m.id = content.digest(r.raw)
              AND m.code <> '\(CheckMail.unasked)' OFFSET 0) AS m
        WHERE v.check_id = $1 AND v.follows AND (v.state = 'ok' OR v.is_page)
          AND \(ListMailLinks.isMail)
          AND EXISTS (SELECT FROM content.check_mail m WHERE m.check_id = $1)
        """)
    let check: UUID
    let most: Int?

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(most.map(Int64.init))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> FoundPlace { try FoundPlace(row) }
}
