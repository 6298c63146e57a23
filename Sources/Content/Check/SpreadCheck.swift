import Tenure
import TenureFoundation

/// Adds to a check what its pages refer to, and returns what is new to it and is to be visited: the
/// one who adds a URL enqueues its visit. A form's action is for whoever fills it in. A foreign
/// target that was well a moment ago counts as visited.
///
/// What `PlannedVisit` says of one URL is said here of all: hrefs are in normal form, so what
/// belongs to the site begins with its prefix.
struct SpreadCheck: PostgresStatement {
    static let sql = """
        WITH found AS MATERIALIZED (
            SELECT DISTINCT r.target AS id
            FROM unnest($3::text[]) AS p (href)
            CROSS JOIN LATERAL (
                SELECT r.target FROM content.reference r
                WHERE r.item = content.digest(p.href) AND r.target IS NOT NULL
                  AND r.kind <> 'form' OFFSET 0) AS r
        ), planned AS (
            SELECT t.id, t.status, t.checked_at, own.yes AS is_own,
                   CASE WHEN t.href ^@ ANY ($4::text[]) THEN $6 ELSE own.yes AND $7 END
                       AND NOT \(isEndless("t.href")) AS follows,
                   skip.code,
                   NOT own.yes AND skip.code IS NULL AND t.state = 'ok'
                       AND t.checked_at > content.now() - $9::interval AS is_fresh
            FROM found f
            CROSS JOIN LATERAL (
                SELECT t.* FROM content.target t WHERE t.id = f.id OFFSET 0) AS t
            CROSS JOIN LATERAL (
                SELECT substring(t.href FROM '^[^/]*//[^/]*/') = ANY ($5::text[]),
                       CASE WHEN starts_with(t.href, $13)
                            THEN substr(t.href, length($13) + 1) END) AS own (yes, path)
            CROSS JOIN LATERAL (
                SELECT CASE
                    WHEN cardinality($10::text[]) + cardinality($11::text[]) > 0
                         AND NOT coalesce(t.href LIKE ANY ($10) OR own.path LIKE ANY ($10), false)
                         AND (cardinality($11) = 0
                              OR coalesce(t.href LIKE ANY ($11) OR own.path LIKE ANY ($11), false))
                    THEN 'excluded'
                    WHEN own.yes THEN NULL
                    WHEN $8::text IS NOT NULL THEN $8::text
                    WHEN cardinality($12::text[]) > 0 AND NOT t.href LIKE ANY ($12)
                    THEN 'notWanted'
                END) AS skip (code)
            WHERE (SELECT true FROM content.check_target k
                   WHERE k.check_id = $1 AND k.target = f.id) IS NULL
        ), added AS (
            INSERT INTO content.check_target (
                check_id, target, depth, hops, follows, mode, state, code, status, checked_at)
            SELECT $1, p.id, $2, $14, p.follows,
                   CASE WHEN p.is_own THEN 'page' ELSE 'target' END,
                   CASE WHEN p.code IS NOT NULL THEN 'skipped'
                        WHEN p.is_fresh THEN 'ok' ELSE 'unchecked' END,
                   p.code, CASE WHEN p.is_fresh THEN p.status END,
                   CASE WHEN p.is_fresh THEN p.checked_at END
            FROM planned p ORDER BY p.id
            ON CONFLICT DO NOTHING
            RETURNING target, state
        )
        SELECT t.href FROM added a JOIN content.target t ON t.id = a.target
        WHERE a.state = 'unchecked' ORDER BY t.href
        """
    /// `EndlessPath`, of an href in a statement. Most have too few names to be looked at.
    static func isEndless(_ href: String) -> String {
        """
        (\(href) LIKE '%/%/%/%/%/%/%' AND coalesce((
            SELECT max(n.times) > \(EndlessPath.mostTimes)
                OR sum(n.times) > \(EndlessPath.mostNames)
            FROM (SELECT count(*) AS times
                  FROM unnest((string_to_array(split_part(\(href), '?', 1), '/'))[4:]) AS s (name)
                  WHERE s.name <> '' GROUP BY s.name) AS n), false))
        """
    }

    let check: StartedCheck
    let depth: Int
    let hops: Int
    let pages: [String]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check.id)
        try parameters.append(clamping: depth)
        try parameters.append(pages)
        try parameters.append(check.scope.insides)
        try parameters.append(check.scope.originPrefixes)
        try parameters.append(check.follows(.inside, depth: depth))
        try parameters.append(check.follows(.sameOrigin, depth: depth))
        try parameters.append(check.reasonToSkipForeign)
        // A look at the head alone doesn't say what the page says.
        let isRead = check.options.rules.aspects.softMissing
        try parameters.append(
            isRead ? .zero : Duration.clamped(seconds: check.options.freshSeconds))
        try parameters.append(check.filter.includeLike)
        try parameters.append(check.filter.excludeLike)
        try parameters.append(check.filter.foreignLike)
        try parameters.append(check.servedPrefix)
        try parameters.append(clamping: hops)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
