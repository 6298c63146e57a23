import Tenure
import TenureFoundation

/// A site as it stands.
struct ReadSite: PostgresStatement {
    static let sql = """
        SELECT s.id, s.url, s.added_at, s.added_by, s.options, s.channels, s.tells_changes,
               s.spread, s.last_check, s.begun_at, k.finished_at, k.cancelled_at, s.skipped_at,
               s.skipped_why, s.known_at,
               (SELECT count(*) FROM content.site_broken b WHERE b.site = s.id),
               n.id, n.made_at, s.refetches, s.discovers,
               extract(epoch FROM s.shortest)::float8, extract(epoch FROM s.longest)::float8
        FROM content.site s
        LEFT JOIN content.site_check k ON k.id = s.last_check
        LEFT JOIN LATERAL (
            SELECT n.id, n.made_at FROM content.notice n
            WHERE n.site = s.id ORDER BY n.made_at DESC LIMIT 1) AS n ON true
        WHERE s.id = $1
        """
    let id: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(id) }

    static func decode(_ row: borrowing PostgresRow) throws -> Site { try Site(row) }
}

/// All sites, by URL.
struct ListSites: PostgresStatement {
    static let sql = """
        SELECT s.id, s.url, s.added_at, s.added_by, s.options, s.channels, s.tells_changes,
               s.spread, s.last_check, s.begun_at, k.finished_at, k.cancelled_at, s.skipped_at,
               s.skipped_why, s.known_at,
               (SELECT count(*) FROM content.site_broken b WHERE b.site = s.id),
               n.id, n.made_at, s.refetches, s.discovers,
               extract(epoch FROM s.shortest)::float8, extract(epoch FROM s.longest)::float8
        FROM content.site s
        LEFT JOIN content.site_check k ON k.id = s.last_check
        LEFT JOIN LATERAL (
            SELECT n.id, n.made_at FROM content.notice n
            WHERE n.site = s.id ORDER BY n.made_at DESC LIMIT 1) AS n ON true
        ORDER BY s.url
        """

    static func decode(_ row: borrowing PostgresRow) throws -> Site { try Site(row) }
}

extension Site {
    /// The columns of both. Somebody's hand may have spoilt what has no bounds in the table: others
    /// are listed all the same, and this one can be removed.
    fileprivate init(_ row: borrowing PostgresRow) throws {
        id = try row.decode(0)
        url = try row.decode(1)
        addedAt = try row.decode(2)
        addedBy = try row.decode(3)
        let json = try row.decode(4, as: PostgresJSON.self).bytes
        let read = Result { try SiteCheckOptions.decode(json) }
        if case .success(let known) = read { options = known } else { options = nil }
        var problems: [String] = []
        if case .failure(let error) = read { problems.append("options: \(error)") }
        channels = try row.decode(5)
        tellsChanges = try row.decode(6)
        do {
            spread = try row.decode(7)
        } catch {
            spread = .zero
            problems.append("spread: \(error)")
        }
        problem = problems.isEmpty ? nil : problems.joined(separator: "; ").storable
        lastCheck = try row.decode(8)
        begunAt = try row.decode(9)
        finishedAt = try row.decode(10)
        cancelledAt = try row.decode(11)
        skippedAt = try row.decode(12)
        skippedWhy = try row.decode(13)
        knownAt = try row.decode(14)
        broken = try row.total(15)
        lastNotice = try row.decode(16)
        lastNoticeAt = try row.decode(17)
        var how = SiteRefetch()
        how.discovers = try row.decode(19)
        how.bounds = RefetchBounds(
            shortestSeconds: try row.decode(20), longestSeconds: try row.decode(21))
        refetch = try row.decode(18) ? how : nil
    }
}

extension Site {
    /// - Throws: `ContentError` with `.badOption` for a row that says nothing that can be read.
    func readOptions() throws -> SiteCheckOptions {
        guard let options else {
            throw ContentError(
                .badOption, "the site can't be read: \(problem ?? ""); remove it, and add it again")
        }
        return options
    }
}
