extension SeriesTests {
    /// Two worlds, 1 and 2, that begin alike: in the first the jobs come one by one, in the second
    /// in one call. `t.rounds` tells how often they end otherwise, and the first differences.
    static let worlds = tables + start + jobs + report + rounds

    private static let tables = """
        CREATE SCHEMA t;
        CREATE TABLE t.answer (world int, ordinal int, id uuid, generation bigint, result text);
        CREATE FUNCTION t.id(w int, n int) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
            SELECT ('00000000-0000-7000-800' || w || '-' || lpad(n::text, 12, '0'))::uuid $$;
        CREATE FUNCTION t.first(w int, n int, more jsonb) RETURNS void LANGUAGE sql AS $$
            SELECT FROM tenure.enqueue_jobs(jsonb_build_array(jsonb_build_object(
                'new_id', t.id(w, n), 'kind', 'k' || w, 'queue', 'q' || w, 'key', 'a',
                'payload', 0) || more)) $$;

        """

    /// 0: nothing; 1: pending; 2: running; 3: running, one waits; 4: being cancelled; 5: completed;
    /// 6: held; 7: expired; 8: superseded while it runs.
    private static let start = """
        CREATE FUNCTION t.start(w int, state int) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE
            session bigint;
        BEGIN
            IF state = 0 THEN RETURN; END IF;
            PERFORM t.first(w, 900, '{}');
            IF state = 6 THEN UPDATE tenure.job SET state = 'held' WHERE kind = 'k' || w;
            ELSIF state = 7 THEN
                UPDATE tenure.job SET not_after = clock_timestamp() - interval '1 s'
                WHERE kind = 'k' || w;
            END IF;
            IF state IN (1, 6, 7) THEN RETURN; END IF;
            session := tenure.open_session('worker', 'w', '1', '30 s', '{}', '{}');
            PERFORM FROM tenure.claim(session, 'q' || w, ARRAY['k' || w], 1);
            IF state = 3 THEN PERFORM t.first(w, 901, '{"mode": "coalescing"}');
            ELSIF state = 8 THEN PERFORM t.first(w, 901, '{}');
            ELSIF state = 4 THEN PERFORM tenure.cancel_job(t.id(w, 900), 'me');
            ELSIF state = 5 THEN
                PERFORM tenure.finish(j.id, j.fence) FROM tenure.job j WHERE j.id = t.id(w, 900);
            END IF;
        END $$;

        """

    private static let jobs = """
        CREATE FUNCTION t.jobs(w int, modes text, options int[]) RETURNS jsonb
        LANGUAGE sql AS $$
            SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                'new_id', t.id(w, i), 'kind', 'k' || w, 'key', 'a', 'payload', i,
                'queue', 'q' || w || CASE WHEN o & 1 > 0 THEN 'b' ELSE '' END,
                'mode', CASE c WHEN 's' THEN 'superseding' WHEN 'c' THEN 'coalescing'
                               WHEN 'd' THEN 'debounced' ELSE 'keeping' END,
                'priority', i % 10, 'max_attempts', 1 + i, 'trace', 't' || i,
                'after', CASE WHEN c = 'd' OR o & 2 > 0 THEN 10 + i || ' min' END,
                'max_wait', CASE WHEN c = 'd' AND o & 4 > 0 THEN '5 min' END,
                'not_after', CASE WHEN o & 8 > 0 THEN clock_timestamp() + CASE
                    WHEN o & 16 > 0 AND o & 2 = 0 AND c <> 'd' THEN interval '-1 s'
                    ELSE interval '1 day' END END,
                'overlap', CASE WHEN o & 32 > 0 THEN false END,
                'lane', CASE WHEN o & 64 > 0 THEN 'l' || i % 2 END,
                'tags', CASE WHEN o & 128 > 0 THEN to_jsonb(ARRAY['g', 'g' || i]) END)) ORDER BY i)
            FROM (SELECT i, substr(modes, i, 1), options[i]
                  FROM generate_series(1, length(modes)) AS i) AS j (i, c, o) $$;

        """

    /// All that is there of a world, with generations as ranks.
    private static let report = """
        CREATE FUNCTION t.tags(job uuid) RETURNS text LANGUAGE sql AS $$
            SELECT string_agg(t.tag, ' ' ORDER BY t.tag) FROM tenure.job_tag t
            WHERE t.job_id = job $$;
        CREATE FUNCTION t.report(w int) RETURNS text LANGUAGE sql AS $$
            WITH own AS (
                SELECT g, rank() OVER (ORDER BY g) AS r FROM (
                    SELECT j.generation AS g FROM tenure.job j WHERE j.kind = 'k' || w
                    UNION SELECT h.generation FROM tenure.job_history h WHERE h.kind = 'k' || w
                    UNION SELECT unnest(ARRAY[s.issued, s.floor]) FROM tenure.subject s
                          WHERE s.kind = 'k' || w
                    UNION SELECT a.generation FROM t.answer a WHERE a.world = w) AS u)
            SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
                SELECT concat_ws('|', 'job', right(j.id::text, 3), substr(j.queue, 3), j.state,
                    j.payload, j.priority, j.max_attempts, j.lane, j.trace, j.attempt,
                    j.waits_for_key, j.calendar,
                    round(extract(epoch FROM j.run_at - clock_timestamp()) / 30),
                    round(extract(epoch FROM j.not_after - clock_timestamp()) / 60),
                    (SELECT o.r FROM own o WHERE o.g = j.generation), t.tags(j.id))
                FROM tenure.job j WHERE j.kind = 'k' || w
                UNION ALL
                SELECT concat_ws('|', 'past', right(h.id::text, 3), substr(h.queue, 3), h.outcome,
                    h.payload, h.priority, h.max_attempts, h.lane, h.trace, h.attempt, h.runs,
                    left(h.reason, 12), right(h.superseded_by::text, 3),
                    round(extract(epoch FROM h.run_at - clock_timestamp()) / 30),
                    (SELECT o.r FROM own o WHERE o.g = h.generation), t.tags(h.id))
                FROM tenure.job_history h WHERE h.kind = 'k' || w
                UNION ALL
                SELECT concat_ws('|', 'subject', (SELECT o.r FROM own o WHERE o.g = s.issued),
                    (SELECT o.r FROM own o WHERE o.g = s.floor))
                FROM tenure.subject s WHERE s.kind = 'k' || w
                UNION ALL
                SELECT concat_ws('|', 'answer', a.ordinal, right(a.id::text, 3), a.result,
                    (SELECT o.r FROM own o WHERE o.g = a.generation))
                FROM t.answer a WHERE a.world = w) AS l (line) $$;

        """

    private static let rounds = """
        CREATE FUNCTION t.round(modes text, options int[], state int) RETURNS text
        LANGUAGE plpgsql AS $$
        DECLARE
            jobs jsonb;
        BEGIN
            DELETE FROM tenure.job; DELETE FROM tenure.job_tag;
            DELETE FROM tenure.job_history; DELETE FROM tenure.subject;
            DELETE FROM tenure.subject_lock; DELETE FROM tenure.lane;
            DELETE FROM tenure.lane_holders; DELETE FROM tenure.lane_call; DELETE FROM t.answer;
            PERFORM t.start(1, state), t.start(2, state);
            jobs := t.jobs(1, modes, options);
            FOR i IN 1..length(modes) LOOP
                INSERT INTO t.answer SELECT 1, i, e.id, e.generation, e.result
                FROM tenure.enqueue_jobs(jsonb_build_array(jobs -> (i - 1))) AS e;
            END LOOP;
            INSERT INTO t.answer SELECT 2, e.ordinal, e.id, e.generation, e.result
            FROM tenure.enqueue_jobs(t.jobs(2, modes, options)) AS e;
            RETURN CASE WHEN t.report(1) <> t.report(2) THEN
                format(E'%s %s %s\\nALONE\\n%s\\nCALL\\n%s', modes, options, state, t.report(1),
                       t.report(2)) END;
        END $$;
        CREATE FUNCTION t.rounds(count int) RETURNS SETOF text LANGUAGE plpgsql AS $$
        DECLARE
            modes     text;
            options   int[];
            different text;
            bad       int := 0;
        BEGIN
            FOR n IN 1..count LOOP
                modes := (SELECT string_agg(substr('scdk', 1 + floor(random() * 4)::int, 1), '')
                          FROM generate_series(0, floor(random() * 7)::int));
                options := (SELECT array_agg((random() * 255)::int & CASE WHEN n % 5 = 0
                                                                     THEN 255 ELSE 239 END)
                            FROM generate_series(1, 8));
                different := t.round(modes, options, floor(random() * 9)::int);
                IF different IS NOT NULL THEN
                    bad := bad + 1;
                    RETURN NEXT different;
                END IF;
            END LOOP;
            RETURN NEXT format('%s of %s differ', bad, count);
        END $$;
        """
}
