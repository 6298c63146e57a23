-- The same functions, such that no statistics can make them read all of `job` or `subject`: rows
-- are fetched by LATERAL subqueries that hold a lock or OFFSET 0 (the planner can't turn them
-- round), and what is written is named by id = ANY besides.
CREATE OR REPLACE FUNCTION tenure.complete_runs(ids uuid[], fences bigint[]) RETURNS SETOF uuid
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH held AS MATERIALIZED (
        SELECT l.id FROM (
            SELECT m.id, m.fence FROM unnest(ids, fences) AS m (id, fence) ORDER BY m.id) AS m
        CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j
            WHERE j.id = m.id AND j.fence = m.fence AND j.ending_at IS NULL AND j.key IS NULL
            FOR UPDATE) AS l
    ), gone AS (
        DELETE FROM tenure.job j WHERE j.id = ANY (array(SELECT held.id FROM held))
        RETURNING j.*
    ), kept AS (
        INSERT INTO tenure.job_history (
            id, run_id, parent_id, retry_of, fence, session_id, run_at, created_at, claimed_at,
            outcome, attempt, max_attempts, runs, payload_version, priority, kind, queue, lane,
            payload, trace)
        SELECT g.id, g.run_id, g.parent_id, g.retry_of, g.fence, g.session_id, g.run_at,
               g.created_at, g.claimed_at, 'completed', g.attempt, g.max_attempts, g.runs,
               g.payload_version, g.priority, g.kind, g.queue, g.lane, g.payload, g.trace
        FROM gone g
        WHERE NOT EXISTS (
            SELECT FROM tenure.queue q WHERE q.name = g.queue AND NOT q.keep_completed)
    )
    SELECT g.id FROM gone g;
END $$;

CREATE OR REPLACE FUNCTION tenure.read_verdicts(ids uuid[], fences bigint[])
RETURNS TABLE (tag text, job_id uuid, number bigint, detail text, lease interval)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT v.tag, m.id, v.number, v.detail, NULL::interval
    FROM unnest(ids, fences) AS m (id, fence)
    LEFT JOIN LATERAL (
        SELECT j.id, j.kind, j.key, j.generation, j.ending_at, j.ending_by FROM tenure.job j
        WHERE j.id = m.id AND j.fence = m.fence OFFSET 0) AS j ON true
    LEFT JOIN LATERAL (
        SELECT s.floor FROM tenure.subject s
        WHERE s.kind = j.kind AND s.key = j.key OFFSET 0) AS s ON true
    CROSS JOIN LATERAL (
        SELECT 'lost', NULL::bigint, NULL::text WHERE j.id IS NULL
        UNION ALL
        SELECT 'cancelled', NULL, j.ending_by WHERE j.ending_at IS NOT NULL
        UNION ALL
        SELECT 'superseded', s.floor, NULL WHERE j.ending_at IS NULL AND s.floor > j.generation
    ) AS v (tag, number, detail);
END $$;

CREATE OR REPLACE FUNCTION tenure.retire_superseded(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    WITH stale AS MATERIALIZED (
        SELECT l.id, c.successor FROM (
            SELECT j.id, n.id AS successor FROM unnest(news) AS n CROSS JOIN LATERAL (
                SELECT j.id FROM tenure.job j
                WHERE j.kind = n.kind AND j.key = n.key AND j.state <> 'running' OFFSET 0) AS j
            WHERE n.mode = 'superseding' ORDER BY j.id) AS c
        CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j WHERE j.id = c.id AND j.state <> 'running'
            FOR UPDATE) AS l
    ), gone AS (
        DELETE FROM tenure.job j USING stale
        WHERE j.id = stale.id AND j.id = ANY (array(SELECT s.id FROM stale AS s))
        RETURNING j.*, stale.successor
    )
    INSERT INTO tenure.job_history (
        id, run_id, parent_id, retry_of, superseded_by, generation, run_at, created_at,
        outcome, attempt, max_attempts, runs, payload_version, priority, kind, queue, key, lane,
        payload, reason, trace)
    SELECT id, run_id, parent_id, retry_of, successor, generation, run_at, created_at,
           'superseded', attempt, max_attempts, runs, payload_version, priority, kind, queue, key,
           lane, payload, 'superseded before it ran', trace
    FROM gone;
END $$;

CREATE OR REPLACE FUNCTION tenure.update_pending(news tenure.new_job[]) RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH pending AS MATERIALIZED (
        SELECT l.id, n.ordinal AS place, n.generation AS newest, n.payload AS content,
               n.payload_version AS version, n.priority AS rank, n.trace AS context,
               CASE WHEN n.mode = 'debounced' AND n.max_wait IS NOT NULL
                    THEN least(n.run_at, l.created_at + n.max_wait) ELSE n.run_at END AS due
        FROM (
            SELECT j.id AS found, m.* FROM unnest(news) AS m CROSS JOIN LATERAL (
                SELECT j.id FROM tenure.job j
                WHERE j.kind = m.kind AND j.key = m.key AND j.state <> 'running' OFFSET 0) AS j
            WHERE m.mode IN ('coalescing', 'debounced') ORDER BY j.id) AS n
        CROSS JOIN LATERAL (
            SELECT j.id, j.created_at FROM tenure.job j
            WHERE j.id = n.found AND j.state <> 'running' FOR UPDATE) AS l
    )
    UPDATE tenure.job j
    SET payload = p.content, payload_version = p.version, generation = p.newest, run_at = p.due,
        priority = p.rank, trace = p.context, attempt = 0, hold_reason = NULL, hold_version = NULL,
        state = CASE WHEN j.state = 'waiting' THEN 'waiting'
                     WHEN p.due > clock_timestamp() THEN 'scheduled'
                     ELSE 'available' END::tenure.job_state
    FROM pending p
    WHERE j.id = p.id AND j.id = ANY (array(SELECT q.id FROM pending AS q))
    RETURNING p.place, j.id, j.generation, 'updated'::text;
END $$;

CREATE OR REPLACE FUNCTION tenure.find_kept(news tenure.new_job[]) RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT DISTINCT ON (n.ordinal) n.ordinal, j.id, j.generation, 'kept'::text
    FROM unnest(news) AS n
    CROSS JOIN LATERAL (SELECT s.floor FROM tenure.subject s
                        WHERE s.kind = n.kind AND s.key = n.key OFFSET 0) AS s
    CROSS JOIN LATERAL (SELECT j.id, j.generation, j.ending_at FROM tenure.job j
                        WHERE j.kind = n.kind AND j.key = n.key OFFSET 0) AS j
    WHERE n.mode = 'keeping' AND j.generation >= s.floor AND j.ending_at IS NULL
    ORDER BY n.ordinal, j.generation DESC;
END $$;

CREATE OR REPLACE FUNCTION tenure.lock_subjects(ids uuid[], follow_ups jsonb, patient boolean) RETURNS uuid[]
LANGUAGE plpgsql AS $$
DECLARE
    locked tenure.subject[];
BEGIN
    IF follow_ups IS NOT NULL THEN
        -- Made and locked in one pass: made first and locked later would be two orders.
        INSERT INTO tenure.subject AS s (kind, key, issued)
        SELECT w.kind, w.key, 0 FROM (
            SELECT j.kind, j.key FROM tenure.job j WHERE j.id = ANY (ids) AND j.key IS NOT NULL
            UNION
            SELECT f.kind, f.key FROM jsonb_to_recordset(follow_ups) AS f (kind text, key text)
            WHERE f.key IS NOT NULL) AS w
        ORDER BY w.kind COLLATE "C", w.key COLLATE "C"
        ON CONFLICT (kind, key) DO UPDATE SET touched_at = clock_timestamp();
        RETURN '{}';
    END IF;
    IF patient THEN
        PERFORM FROM (
            SELECT DISTINCT j.kind, j.key FROM (
                -- `key IS NOT NULL` beside the ids would invite the whole of job_key.
                SELECT j.kind, j.key FROM tenure.job j WHERE j.id = ANY (ids) OFFSET 0) AS j
            WHERE j.key IS NOT NULL ORDER BY j.kind, j.key) AS w
        CROSS JOIN LATERAL (
            SELECT FROM tenure.subject s WHERE s.kind = w.kind AND s.key = w.key
            FOR NO KEY UPDATE) AS s;
        RETURN '{}';
    END IF;
    locked := array(
        SELECT s.subject FROM (
            SELECT DISTINCT j.kind, j.key FROM (
                -- `key IS NOT NULL` beside the ids would invite the whole of job_key.
                SELECT j.kind, j.key FROM tenure.job j WHERE j.id = ANY (ids) OFFSET 0) AS j
            WHERE j.key IS NOT NULL ORDER BY j.kind, j.key) AS w
        CROSS JOIN LATERAL (
            SELECT s AS subject FROM tenure.subject s WHERE s.kind = w.kind AND s.key = w.key
            FOR NO KEY UPDATE SKIP LOCKED) AS s);
    RETURN array(
        SELECT j.id FROM (
            SELECT j.id, j.kind, j.key FROM tenure.job j WHERE j.id = ANY (ids) OFFSET 0) AS j
        WHERE j.key IS NOT NULL AND NOT EXISTS (
            SELECT FROM unnest(locked) AS l WHERE l.kind = j.kind AND l.key = j.key));
END $$;

CREATE OR REPLACE FUNCTION tenure.apply_decisions(decisions tenure.decision[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    ids uuid[] := array(SELECT d.id FROM unnest(decisions) AS d);
BEGIN
    INSERT INTO tenure.attempt_error (job_id, fence, attempt, session_id, code, message)
    SELECT j.id, j.fence, j.attempt, j.session_id, d.error_code, d.error_message
    FROM unnest(decisions) AS d JOIN tenure.job j ON j.id = d.id
    WHERE d.error_code IS NOT NULL AND j.id = ANY (ids);

    -- By its key, whatever the statistics say; they are locked, and there.
    INSERT INTO tenure.subject AS s (kind, key, issued, committed)
    SELECT j.kind, j.key, max(j.generation), max(j.generation)
    FROM unnest(decisions) AS d CROSS JOIN LATERAL (
        SELECT j.kind, j.key, j.generation FROM tenure.job j WHERE j.id = d.id OFFSET 0) AS j
    WHERE d.became = 'completed' AND j.key IS NOT NULL
    GROUP BY j.kind, j.key
    ON CONFLICT (kind, key) DO UPDATE
    SET committed = greatest(s.committed, EXCLUDED.committed), touched_at = clock_timestamp();

    WITH gone AS (
        DELETE FROM tenure.job j USING unnest(decisions) AS d
        WHERE j.id = d.id AND j.id = ANY (ids)
          AND d.became IN ('completed', 'discarded', 'cancelled', 'superseded')
        RETURNING j.*, d.became, d.result, d.reason, d.refund
    )
    INSERT INTO tenure.job_history (
        id, run_id, parent_id, retry_of, generation, fence, session_id, run_at, created_at,
        claimed_at, outcome, attempt, max_attempts, runs, payload_version, priority, kind, queue,
        key, lane, payload, result, reason, trace)
    SELECT g.id, g.run_id, g.parent_id, g.retry_of, g.generation, g.fence, g.session_id, g.run_at,
           g.created_at, g.claimed_at, g.became::tenure.job_outcome, g.attempt - g.refund::integer,
           g.max_attempts, g.runs, g.payload_version, g.priority, g.kind, g.queue, g.key, g.lane,
           g.payload, g.result, g.reason, g.trace
    FROM gone g
    WHERE g.became <> 'completed' OR NOT EXISTS (
        SELECT FROM tenure.queue q WHERE q.name = g.queue AND NOT q.keep_completed);

    UPDATE tenure.job j
    SET state = d.became::tenure.job_state, fence = NULL, session_id = NULL, claimed_at = NULL,
        run_at = clock_timestamp() + coalesce(d.delay, '0'),
        attempt = j.attempt - d.refund::integer,
        refunds = j.refunds + (d.refund AND d.became <> 'held')::integer,
        hold_reason = CASE WHEN d.became = 'held' THEN d.reason END,
        hold_version = d.hold_version
    FROM unnest(decisions) AS d
    WHERE j.id = d.id AND j.id = ANY (ids) AND d.became IN ('available', 'scheduled', 'retryable', 'held');
END $$;

CREATE OR REPLACE FUNCTION tenure.release_successors(subjects tenure.subject[]) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    ids uuid[] := array(
        SELECT j.id FROM unnest(subjects) AS s CROSS JOIN LATERAL (
            SELECT j.id FROM tenure.job j WHERE j.kind = s.kind AND j.key = s.key
              AND j.state = 'waiting' AND j.waits_for_key OFFSET 0) AS j
        WHERE NOT EXISTS (SELECT FROM tenure.job r WHERE r.kind = s.kind AND r.key = s.key
                            AND r.state = 'running' OFFSET 0));
BEGIN
    IF ids = '{}' THEN
        RETURN;
    END IF;
    UPDATE tenure.job j
    SET waits_for_key = false,
        state = CASE WHEN j.waits_for > 0 THEN 'waiting'
                     WHEN j.run_at > clock_timestamp() THEN 'scheduled'
                     ELSE 'available' END::tenure.job_state
    WHERE j.id = ANY (ids);
END $$;

CREATE OR REPLACE FUNCTION tenure.end_runs(endings tenure.ending[], patient boolean)
RETURNS SETOF tenure.ended
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    busy      uuid[];
    locked    tenure.job[];
    decisions tenure.decision[];
    subjects  tenure.subject[];
BEGIN
    PERFORM tenure.require_durable_commit();
    busy := tenure.lock_subjects(array(SELECT e.id FROM unnest(endings) AS e), NULL, patient);
    locked := array(
        SELECT l.job FROM (
            SELECT e.id, e.fence FROM unnest(endings) AS e
            WHERE e.id <> ALL (busy) ORDER BY e.id) AS e
        CROSS JOIN LATERAL (
            SELECT j AS job FROM tenure.job j WHERE j.id = e.id AND j.fence = e.fence
            FOR UPDATE) AS l);
    subjects := array(
        SELECT s.subject FROM (
            SELECT DISTINCT l.kind, l.key FROM unnest(locked) AS l WHERE l.key IS NOT NULL) AS w
        CROSS JOIN LATERAL (
            SELECT s AS subject FROM tenure.subject s
            WHERE s.kind = w.kind AND s.key = w.key OFFSET 0) AS s);
    decisions := array(
        SELECT tenure.decide(l, s, e, l.key IS NOT NULL AND EXISTS (
                   SELECT FROM tenure.job n
                   WHERE n.kind = l.kind AND n.key = l.key AND n.generation > l.generation
                     AND n.state <> 'running' OFFSET 0))
        FROM unnest(endings) AS e JOIN unnest(locked) AS l ON l.id = e.id
        LEFT JOIN unnest(subjects) AS s ON s.kind = l.kind AND s.key = l.key);
    PERFORM tenure.apply_decisions(decisions);
    PERFORM tenure.release_successors(subjects);
    RETURN QUERY
        SELECT e.id, CASE WHEN e.id = ANY (busy) THEN 'busy' ELSE coalesce(d.became, 'late') END
        FROM unnest(endings) AS e LEFT JOIN unnest(decisions) AS d ON d.id = e.id;
END $$;
