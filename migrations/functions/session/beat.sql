-- Sessions: a beat for all of a process's runs, the verdicts it brings back, death and the clock.
--
-- A declaration of death and a claim exclude each other on the session's row (UPDATE against
-- KEY SHARE); a beat (NO KEY UPDATE) waits for neither claims nor jobs.
-- Locks: the session alone. `follow_clock` locks jobs by id, skipping what is locked.

-- The heartbeat: one row written, the rest read. Says of each running job what has become of it
-- (`held` is not said), of jobs the worker does not know of (`unknown`, a claim whose answer was
-- lost), where the other sessions' beats stand, and the clock, in microseconds, with its steps. No
-- row `beat`: the session is over. A row `stop`: an operator, by name, has asked it to end. `news`
-- is what runs have reported, or NULL: see `note_progress`.
CREATE OR REPLACE FUNCTION tenure.beat(
    session bigint, ids uuid[], fences bigint[], since_fence bigint, news jsonb)
RETURNS TABLE (tag text, job_id uuid, number bigint, detail text, lease interval)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH renewed AS (
        UPDATE tenure.session s
        SET beat = s.beat + 1, beaten_at = clock_timestamp()
        WHERE s.id = session AND s.ended_at IS NULL
        RETURNING s.beat, s.stop_at, s.stop_by
    )
    SELECT 'beat', NULL::uuid, r.beat, NULL::text, NULL::interval FROM renewed r
    UNION ALL
    SELECT 'stop', NULL, NULL, r.stop_by, NULL FROM renewed r WHERE r.stop_at IS NOT NULL
    UNION ALL
    SELECT v.* FROM tenure.read_verdicts(ids, fences) AS v
    UNION ALL
    SELECT 'clock', NULL, c.steps, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text,
           NULL
    FROM tenure.clock c WHERE c.one  -- by its index: without, JIT would compile this plan each time
    UNION ALL
    SELECT 'unknown', j.id, j.fence, NULL, NULL FROM tenure.job j
    WHERE j.session_id = session AND j.fence >= since_fence
      AND j.id NOT IN (SELECT known.id FROM unnest(ids) AS known (id))
    UNION ALL
    SELECT 'unknown', f.job_id, f.fence, NULL, NULL FROM tenure.folded_run f CROSS JOIN LATERAL (
        SELECT FROM tenure.job j
        WHERE j.id = f.job_id AND j.created_at = f.made AND j.runs = 0 AND j.fence IS NULL
        OFFSET 0) AS j
    WHERE f.session_id = session AND f.number >= since_fence
      AND f.job_id NOT IN (SELECT known.id FROM unnest(ids) AS known (id))
    UNION ALL
    -- A lease that can't be read would keep every other session from its beat.
    SELECT 'peer', NULL, s.id, s.beat::text, tenure.in_seconds(s.lease) FROM tenure.session s
    WHERE s.ended_at IS NULL AND s.reclaimed_at IS NULL AND s.id <> session
    UNION ALL
    SELECT 'dead', NULL, s.id, NULL, NULL FROM tenure.session s
    WHERE s.ended_at IS NOT NULL AND s.reclaimed_at IS NULL AND s.id <> session;
    IF news IS NOT NULL THEN
        PERFORM tenure.note_progress(news);
    END IF;
END $$;

-- Writes down what a beat brings, a jsonb array of {job, fence, done, total, rate, note}. It waits
-- for nobody: a lease must not be lost over a row that somebody looks at under lock. Such a row is
-- passed over, and has its turn with the run's next report.
CREATE OR REPLACE FUNCTION tenure.note_progress(news jsonb) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    WITH told AS MATERIALIZED (
        SELECT p.place, n.* FROM jsonb_to_recordset(news) AS n (
            job uuid, fence bigint, done bigint, total bigint, rate double precision, note text)
        CROSS JOIN LATERAL (
            SELECT p.ctid AS place FROM tenure.job_progress p
            WHERE p.job_id = n.job AND p.fence = n.fence FOR NO KEY UPDATE SKIP LOCKED) AS p
    )
    UPDATE tenure.job_progress p
    SET done = t.done, total = t.total, rate = t.rate, note = t.note,
        reported_at = clock_timestamp()
    FROM told t WHERE p.ctid = t.place;
    -- The job's earlier runs have had their say.
    WITH made AS (
        INSERT INTO tenure.job_progress (job_id, fence, done, total, rate, note)
        SELECT n.job, n.fence, n.done, n.total, n.rate, n.note
        FROM jsonb_to_recordset(news) AS n (
            job uuid, fence bigint, done bigint, total bigint, rate double precision, note text)
        -- A row that is there isn't even tried: it might be one that somebody is deleting.
        WHERE NOT EXISTS (
            SELECT FROM tenure.job_progress p WHERE p.job_id = n.job AND p.fence = n.fence)
          -- What comes late of a job that was deleted or forgotten is nobody's any more.
          AND (EXISTS (SELECT FROM tenure.job j WHERE j.id = n.job OFFSET 0)
               OR EXISTS (SELECT FROM tenure.job_history h WHERE h.id = n.job OFFSET 0))
        ORDER BY n.job, n.fence
        ON CONFLICT DO NOTHING
        RETURNING job_id, fence
    ), earlier AS MATERIALIZED (
        SELECT p.place FROM made m CROSS JOIN LATERAL (
            SELECT p.ctid AS place FROM tenure.job_progress p
            WHERE p.job_id = m.job_id AND p.fence < m.fence FOR UPDATE SKIP LOCKED) AS p
    )
    DELETE FROM tenure.job_progress p USING earlier e WHERE p.ctid = e.place;
END $$;
