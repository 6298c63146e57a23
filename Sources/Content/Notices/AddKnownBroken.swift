import Tenure
import TenureFoundation

/// Adds to what is known to be broken on a site. Returns what wasn't known: that is news.
struct AddKnownBroken: PostgresStatement {
    static let sql = """
        INSERT INTO content.site_broken (site, finding, target, href, code, fragment)
        SELECT $1, u.finding, u.target, u.href, u.code, u.fragment
        FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[])
            AS u (finding, target, href, code, fragment)
        ORDER BY u.finding
        ON CONFLICT DO NOTHING
        RETURNING finding
        """
    let site: UUID
    let findings: [SiteFinding]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(site)
        try parameters.append(findings.map(\.id))
        try parameters.append(findings.map(\.target))
        try parameters.append(findings.map(\.href))
        try parameters.append(findings.map(\.finding.code))
        try parameters.append(findings.map(\.finding.fragment))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> UUID { try row.decode(0) }
}

/// Takes out of it what is mended: the target was visited, is well to the end of its redirects, and
/// nothing is wrong with it (what only a page that refers to it can tell needs all pages);
/// or nothing refers to it any more. The latter is only believed of a check that is complete and in
/// which no page failed that has led somewhere: what stood there isn't known now.
struct TakeMended: PostgresStatement {
    static let sql = """
        WITH failed AS MATERIALIZED (
            SELECT EXISTS (
                SELECT FROM content.check_target v JOIN content.item i ON i.id = v.target
                WHERE v.check_id = $2 AND v.mode = 'page'
                  AND v.state NOT IN ('ok', 'redirected', 'skipped')
                  AND i.reference_count > 0) AS yes
        )
        DELETE FROM content.site_broken b
        WHERE b.site = $1 AND b.finding <> ALL ($3) AND (b.fragment IS NULL OR $5)
          AND b.code <> ALL ($6::text[])
          AND (EXISTS (
                  SELECT FROM content.check_target v
                  WHERE v.check_id = $2 AND v.target = b.target
                    AND v.state IN ('ok', 'redirected')
                    -- What the check's rules accept is no better than it was.
                    AND v.code IS DISTINCT FROM 'accepted')
               AND NOT EXISTS (
                  WITH RECURSIVE way (target, hops) AS (
                      SELECT b.target, 0
                      UNION ALL
                      SELECT v.next, w.hops + 1
                      FROM way w JOIN content.check_target v
                           ON v.check_id = $2 AND v.target = w.target
                      WHERE v.state = 'redirected' AND v.next IS NOT NULL AND w.hops < 20
                  )
                  SELECT FROM way w JOIN content.check_target v
                      ON v.check_id = $2 AND v.target = w.target
                  WHERE v.state NOT IN ('ok', 'redirected', 'skipped'))
               -- What stands in a foreign page, or in its text, was looked for or not.
               AND (b.fragment IS NULL
                    OR b.code <> 'missingText' AND EXISTS (
                        SELECT FROM content.check_target v
                        WHERE v.check_id = $2 AND v.target = b.target AND v.mode = 'page')
                    OR EXISTS (
                        SELECT FROM content.check_place p
                        WHERE p.check_id = $2 AND p.target = b.target
                          AND p.id = content.digest(b.fragment)
                          AND p.state IN ('found', 'known', 'moved')))
               AND (b.fragment IS NULL AND b.code <> ALL ('{\(ofReferences)}')
                    OR $4 AND NOT (SELECT f.yes FROM failed f))
              OR $4 AND NOT (SELECT f.yes FROM failed f)
                 AND NOT EXISTS (
                     SELECT FROM content.check_target v
                     WHERE v.check_id = $2 AND v.target = b.target))
        RETURNING b.href, b.fragment, b.code, b.since,
                  CASE WHEN EXISTS (
                      SELECT FROM content.check_target v
                      WHERE v.check_id = $2 AND v.target = b.target)
                  THEN 'answers' ELSE 'unlinked' END
        """
    let site: UUID
    let check: UUID
    private static let ofReferences = FindingCode.ofReferences.joined(separator: ",")

    /// Confirmed or not.
    let wrong: [UUID]
    let isComplete: Bool
    let looksForFragments: Bool
    /// Codes of findings that the check didn't look for.
    let unlooked: [String]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(site)
        try parameters.append(check)
        try parameters.append(wrong)
        try parameters.append(isComplete)
        try parameters.append(looksForFragments)
        try parameters.append(unlooked)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Notice.Mend {
        Notice.Mend(
            target: URLRedaction.text(try row.decode(0)).storable,
            fragment: try row.decode(1, as: String?.self)
                .map { String(URLRedaction.reference("#" + $0).dropFirst()).storable },
            code: try row.decode(2), brokenSince: try row.decode(3),
            how: try row.decode(4, known: Notice.Mend.How.self))
    }
}

/// Pages of a check that were known before it, and whose links or headings have changed since.
struct ListChangedPages: PostgresStatement {
    static let sql = """
        SELECT i.url FROM content.site_check k
        JOIN content.check_target v ON v.check_id = k.id
        JOIN content.item i ON i.id = v.target
        WHERE k.id = $1 AND v.is_page AND v.follows
          AND i.created_at < k.started_at AND i.changed_at >= k.started_at
        ORDER BY i.url
        """
    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(check) }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}

/// How much is known to be broken on a site.
struct CountKnownBroken: PostgresStatement {
    static let sql = "SELECT count(*) FROM content.site_broken b WHERE b.site = $1"
    let site: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(site) }

    static func decode(_ row: borrowing PostgresRow) throws -> Int { try row.total(0) }
}
