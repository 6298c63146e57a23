extension Operation {
    /// `name` is the prefix of a job's JSON: what is left out is like everywhere.
    static func enqueue(_ jobs: String...) -> String {
        let array = jobs.map { #"{"kind": "k", "queue": "q", \#($0)}"# }.joined(separator: ", ")
        return """
            SELECT coalesce(string_agg(e.result || ' ' || e.id, ', '), 'nothing')
            FROM tenure.enqueue_jobs('[\(array)]') AS e
            """
    }

    static func supersede(_ key: String, overlap: Bool = true) -> String {
        """
        SELECT CASE WHEN tenure.supersede(
            m.id, 'k', 'q', '{}', 1::smallint, 5::smallint, 25, NULL, '0', NULL, NULL, NULL, true,
            '\(key)', \(overlap)) > 0 THEN 'enqueued ' || m.id END
        FROM (SELECT tenure.new_id() AS id OFFSET 0) AS m
        """
    }

    /// A bulk of the library's.
    static func supersede(inBulk keys: [String], overlap: Bool = true) -> String {
        func column(_ value: String) -> String { "array_fill(\(value), ARRAY[\(keys.count)])" }
        let keys = keys.map { "'\($0)'" }.joined(separator: ", ")
        return """
            SELECT string_agg(e.result || ' ' || e.id, ', ') FROM tenure.enqueue_many(
                array(SELECT tenure.new_id() FROM unnest(ARRAY[\(keys)])), \(column("'k'::text")),
                \(column("'q'::text")), ARRAY[\(keys)], \(column("'superseding'::text")),
                \(column("'{}'::jsonb")), \(column("1::smallint")), \(column("5::smallint")),
                NULL, \(column("interval '0'")), \(column("25")), \(column("\(overlap)")),
                NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, NULL) AS e
            """
    }

    /// The caller's own id.
    static func given(_ number: Int) -> String {
        #""id": "00000000-0000-7000-8000-0000000000\#(number)""#
    }

    static let producing = [
        Operation(
            "edit p1, supersede k1",
            "UPDATE app.page SET body = 'edited by $me' WHERE id = 'p1'",
            enqueue(#""key": "k1""#)),
        Operation("supersede k2", enqueue(#""key": "k2""#)),
        Operation("supersede k3", enqueue(#""key": "k3""#)),
        Operation("supersede k4", enqueue(#""key": "k4""#)),
        Operation("supersede k1 no overlap", enqueue(#""key": "k1", "overlap": false"#)),
        Operation("supersede new key", enqueue(#""key": "k99""#)).making("subject_lock k99"),
        Operation("supersede k1 alone", supersede("k1")),
        Operation("supersede k2 alone", supersede("k2")),
        Operation("supersede k3 alone", supersede("k3")),
        Operation("supersede k4 alone, no overlap", supersede("k4", overlap: false)),
        Operation("supersede k10 alone (idle)", supersede("k10")),
        Operation("supersede new key alone", supersede("k99")).making("subject_lock k99"),
        Operation("supersede k3, new key, k1 in bulk", supersede(inBulk: ["k3", "k99", "k1"]))
            .making("subject_lock k99"),
        Operation(
            "supersede k1, k3, k2 in bulk, no overlap",
            supersede(inBulk: ["k1", "k3", "k2"], overlap: false)),
        Operation(
            "supersede twenty new keys in bulk",
            supersede(inBulk: (80...99).reversed().map { "k\($0)" })
        ).making("subject_lock k99"),
        Operation("coalesce k1", enqueue(#""key": "k1", "mode": "coalescing""#)),
        Operation("coalesce k2", enqueue(#""key": "k2", "mode": "coalescing""#)),
        Operation("coalesce k3", enqueue(#""key": "k3", "mode": "coalescing""#)),
        Operation("keep k1", enqueue(#""key": "k1", "mode": "keeping""#)),
        Operation("keep k8 within", enqueue(#""key": "k8", "mode": "keeping", "within": "1 h""#)),
        Operation("keep k6 within", enqueue(#""key": "k6", "mode": "keeping", "within": "1 h""#)),
        Operation("coalesce k13 (expired)", enqueue(#""key": "k13", "mode": "coalescing""#)),
        Operation("keep k13 (expired)", enqueue(#""key": "k13", "mode": "keeping""#)),
        Operation("coalesce k10 (idle)", enqueue(#""key": "k10", "mode": "coalescing""#)),
        Operation("keep k10 (idle)", enqueue(#""key": "k10", "mode": "keeping""#)),
        Operation(
            "debounce k3",
            enqueue(#""key": "k3", "mode": "debounced", "after": "1 m", "max_wait": "5 m""#)),
        Operation(
            "bulk of five",
            enqueue(
                #""key": "k3""#, #""key": "k1", "mode": "coalescing""#, #""key": "k1""#,
                #""key": "k10", "lane": "new""#, #""lane": "room""#)
        ).making("lane new"),
        Operation(
            "bulk, lanes the other way",
            enqueue(#""key": "k98", "lane": "newer""#, #""lane": "new""#)
        ).making("lane new", "lane newer"),
        Operation(
            "bulk, lanes in order",
            enqueue(#""key": "k97", "lane": "new""#, #""lane": "newer""#)
        ).making("lane new", "lane newer"),
        Operation("give 62", enqueue(given(62))).making("id 62"),
        Operation("give 63, 62 (k3)", enqueue(given(63), given(62) + #", "key": "k3""#))
            .making("id 62", "id 63"),
        Operation("give 62, 63 (k3)", enqueue(given(62) + #", "key": "k3""#, given(63)))
            .making("id 62", "id 63"),
        Operation("give 60 (finished)", enqueue(given(60))),
        Operation("give 61 (forgotten)", enqueue(given(61))),
        Operation(
            "k3 and k1 again and again",
            enqueue(
                #""key": "k3", "mode": "keeping""#, #""key": "k3", "mode": "coalescing""#,
                #""key": "k1", "mode": "coalescing""#, #""key": "k3", "mode": "coalescing""#,
                #""key": "k3""#, #""key": "k1""#, #""key": "k3""#, #""key": "k1""#)),
        Operation("enqueue into empty", enqueue(#""lane": "empty""#)),
        Operation("enqueue into asleep", enqueue(#""lane": "asleep""#)),
        Operation("enqueue into forgotten", enqueue(#""lane": "forgotten""#)),
        Operation("enqueue into held", enqueue(#""lane": "on hold""#)),
        Operation("enqueue into empty, later", enqueue(#""lane": "empty", "after": "1 h""#)),
    ]
}
