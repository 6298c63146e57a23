-- Writes decisions. The jobs are locked, and so are their subjects.
CREATE OR REPLACE FUNCTION tenure.apply_decisions(decisions tenure.decision[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    ids    uuid[] := array(SELECT d.id FROM unnest(decisions) AS d);
    -- Most runs come to an end of their job, and say no error: what else there may be to write is
    -- not asked for.
    failed uuid[] := array(SELECT d.id FROM unnest(decisions) AS d
                           WHERE d.error_code IS NOT NULL);
    back   uuid[] := array(SELECT d.id FROM unnest(decisions) AS d
                           WHERE d.became IN ('available', 'scheduled', 'retryable', 'held',
                                                'waiting'));
    given_up uuid[];
BEGIN
    IF failed <> '{}' THEN
        INSERT INTO tenure.attempt_error (job_id, fence, attempt, session_id, code, message)
        SELECT j.id, j.fence, j.attempt, j.session_id, d.error_code, d.error_message
        FROM unnest(decisions) AS d JOIN tenure.job j ON j.id = d.id
        WHERE d.error_code IS NOT NULL AND j.id = ANY (failed);
    END IF;

    -- By its key, whatever the statistics say; they are locked, and there. A job that says of
    -- itself that it is superseded, and isn't by a newer one, is given up as well.
    INSERT INTO tenure.subject AS s (
        kind, key, issued, committed, given_up, given_up_as, given_up_id)
    SELECT j.kind, j.key, coalesce(max(s.issued), max(j.generation)),
           coalesce(max(j.generation) FILTER (WHERE d.became = 'completed'), 0),
           coalesce(max(j.generation) FILTER (WHERE d.became <> 'completed'), 0),
           (array_agg(d.became ORDER BY j.generation DESC) FILTER (
               WHERE d.became <> 'completed'))[1]::tenure.job_outcome,
           (array_agg(d.id ORDER BY j.generation DESC) FILTER (WHERE d.became <> 'completed'))[1]
    FROM unnest(decisions) AS d CROSS JOIN LATERAL (
        SELECT j.kind, j.key, j.generation FROM tenure.job j WHERE j.id = d.id OFFSET 0) AS j
    LEFT JOIN LATERAL tenure.subject_of(j.kind, j.key) AS s ON true
    WHERE j.key IS NOT NULL AND (
        d.became IN ('completed', 'discarded', 'cancelled')
        OR d.became = 'superseded' AND j.generation >= greatest(s.floor, s.committed + 1))
    GROUP BY j.kind, j.key
    ON CONFLICT (kind, key, issued) DO UPDATE
    SET committed = greatest(s.committed, EXCLUDED.committed), touched_at = clock_timestamp(),
        given_up = greatest(s.given_up, EXCLUDED.given_up),
        given_up_as = coalesce(EXCLUDED.given_up_as, s.given_up_as),
        given_up_id = coalesce(EXCLUDED.given_up_id, s.given_up_id);

    WITH gone AS (
        DELETE FROM tenure.job j USING unnest(decisions) AS d
        WHERE j.id = d.id AND j.id = ANY (ids)
          AND d.became IN ('completed', 'discarded', 'cancelled', 'superseded')
        RETURNING j.*, d.became, d.result, d.reason, d.refund, d.unbegun
    ), past AS (
    INSERT INTO tenure.job_history (
        id, batch_id, parent_id, retry_of, generation, fence, session_id, run_at, created_at,
        claimed_at, outcome, attempt, max_attempts, runs, payload_version, priority, kind, queue,
        key, lane, payload, result, reason, trace)
    SELECT g.id, g.batch_id, g.parent_id, g.retry_of, g.generation, g.fence, g.session_id, g.run_at,
           g.created_at, CASE WHEN NOT g.unbegun THEN g.claimed_at END,
           g.became::tenure.job_outcome, g.attempt - g.refund::integer, g.max_attempts, g.runs,
           g.payload_version, g.priority, g.kind, g.queue, g.key, g.lane, g.payload, g.result,
           g.reason, g.trace
    FROM gone g
    WHERE g.became <> 'completed' OR NOT EXISTS (
        SELECT FROM tenure.queue q WHERE q.name = g.queue AND NOT q.keep_completed))
    SELECT array_agg(g.id) FILTER (WHERE g.became = 'discarded') INTO given_up FROM gone g;
    IF given_up IS NOT NULL THEN
        PERFORM tenure.write_letters(given_up);
    END IF;

    IF back = '{}' THEN
        RETURN;
    END IF;
    UPDATE tenure.job j
    SET state = d.became::tenure.job_state, fence = NULL, session_id = NULL, claimed_at = NULL,
        run_at = clock_timestamp() + coalesce(d.delay, '0'), calendar = false,
        attempt = j.attempt - d.refund::integer,
        refunds = j.refunds + (d.refund AND d.became NOT IN ('held', 'waiting')
                               AND NOT d.unbegun)::integer,
        hold_reason = CASE WHEN d.became = 'held' THEN d.reason END,
        hold_versions = CASE WHEN d.became = 'held' AND d.hold_version IS NOT NULL
                                  AND d.hold_version <> ALL (coalesce(j.hold_versions, '{}'))
                             THEN array_append(j.hold_versions, d.hold_version)
                             ELSE j.hold_versions END
    FROM unnest(decisions) AS d
    WHERE j.id = d.id AND j.id = ANY (back);
    PERFORM tenure.call_lanes(array(
        SELECT d.id FROM unnest(decisions) AS d
        WHERE d.became IN ('available', 'scheduled', 'retryable')));
END $$;
