import Tenure

/// Remembers fragments that a run has missed, and an event for each that wasn't missing before.
struct RememberMissing: PostgresStatement {
    static let sql = """
        WITH clock AS MATERIALIZED (
            SELECT content.now() AS at
        ), missing AS MATERIALIZED (
            SELECT DISTINCT content.digest(m.href) AS target, content.digest(m.name) AS id, m.name
            FROM unnest($1::text[], $2::text[]) AS m (href, name)
        ), held AS MATERIALIZED (
            SELECT f.target, f.id, f.state FROM (SELECT * FROM missing ORDER BY target, id) AS m
            CROSS JOIN LATERAL (
                SELECT f.* FROM content.target_fragment f
                WHERE f.target = m.target AND f.id = m.id FOR NO KEY UPDATE) AS f
        ), written AS (
            INSERT INTO content.target_fragment AS f (
                target, id, fragment, state, first_broken_at, checked_at)
            SELECT m.target, m.id, m.name, 'missing fragment', c.at, c.at
            FROM missing m CROSS JOIN clock c WHERE (SELECT count(*) FROM held) >= 0
            ORDER BY m.target, m.id
            ON CONFLICT (target, id) DO UPDATE
            SET state = EXCLUDED.state, checked_at = EXCLUDED.checked_at,
                first_broken_at = coalesce(f.first_broken_at, EXCLUDED.first_broken_at)
            RETURNING f.target, f.id, f.fragment, f.first_broken_at
        )
        INSERT INTO content.target_event (target, at, before, after, fragment)
        SELECT w.target, c.at, coalesce(h.state, 'unchecked'), 'missing fragment', w.fragment
        FROM clock c JOIN written w ON w.first_broken_at = c.at
        LEFT JOIN held h ON h.target = w.target AND h.id = w.id
        """
    /// Two statements end so, and differ in how they look: follows a table
    /// `looked (target, id, is_wanted, is_found)`.
    static let remembering = """
        held AS MATERIALIZED (
            SELECT f.target, f.id, l.is_found FROM looked l
            CROSS JOIN LATERAL (
                SELECT f.target, f.id FROM content.target_fragment f
                WHERE f.target = l.target AND f.id = l.id AND f.state = 'missing fragment'
                FOR UPDATE) AS f
            WHERE l.is_found OR NOT l.is_wanted
        ), found AS (
            UPDATE content.target_fragment f
            SET state = 'ok', first_broken_at = NULL, last_ok_at = content.now(),
                checked_at = content.now()
            FROM held h WHERE h.is_found AND f.target = h.target AND f.id = h.id
            RETURNING f.target, f.fragment
        ), forgotten AS (
            DELETE FROM content.target_fragment f USING held h
            WHERE NOT h.is_found AND f.target = h.target AND f.id = h.id
            RETURNING f.target, f.fragment
        )
        INSERT INTO content.target_event (target, before, after, fragment)
        SELECT f.target, 'missing fragment', 'ok', f.fragment FROM found f
        UNION ALL
        SELECT f.target, 'missing fragment', 'unchecked', f.fragment FROM forgotten f
        """

    /// The table of those that a run has missed, from the second and the third parameter.
    static let missing = """
        missing AS MATERIALIZED (
            SELECT content.digest(m.href) AS target, content.digest(m.name) AS id
            FROM unnest($2::text[], $3::text[]) AS m (href, name)
        )
        """
    /// A condition on fragments `f` that were missing, and weren't missed now.
    static let isFound = """
        f.state = 'missing fragment' AND NOT EXISTS (
            SELECT FROM missing m WHERE m.target = f.target AND m.id = f.id)
        """

    let fragments: [MissingFragment]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(fragments.map(\.target))
        try parameters.append(fragments.map(\.name))
    }
}

/// What a fragment is missing in, for every statement that looks for such: conditions in SQL.
extension MissingFragment {
    /// An item `i` is a page that is there. Documents whose anchors were cut off by a limit say
    /// nothing.
    static let isWholePage = """
        i.is_complete AND i.seen_at IS NOT NULL AND i.outcome <> 'gone'
        AND i.media_type IN ('text/html', 'application/xhtml+xml')
        """
    /// A reference `r` names no anchor of the item of `page`, neither as it is written nor decoded.
    ///
    /// Each anchor is looked up by its key (a scalar subquery never becomes a join): statistics
    /// never know a check that has just begun, and for the one row that they expect, all anchors of
    /// the page would be read for each reference, and a digest made for each of them.
    static let isMissing = """
        r.fragment IS NOT NULL AND r.kind <> 'form'
        AND (SELECT true FROM content.anchor a
             WHERE a.item = page.item AND a.id = content.digest(r.fragment)) IS NULL
        AND (SELECT true FROM content.anchor a
             WHERE a.item = page.item AND a.id = content.digest(r.raw_fragment)) IS NULL
        """
}
