-- How far a batch is, all of one moment; what has ended is counted where it is asked for.
CREATE OR REPLACE FUNCTION tenure.batch_progress(batch uuid, with_ended boolean)
RETURNS TABLE (
    started_at timestamptz, cancelled_at timestamptz, cancelled_by text, ended_at timestamptz,
    unfinished bigint, running bigint, held bigint, completed bigint, cancelled bigint,
    superseded bigint, discarded bigint, refused text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT r.created_at, r.ending_at, r.ending_by, r.ended_at, live.*, past.*, r.refused
    FROM tenure.batch r
    CROSS JOIN LATERAL (
        SELECT count(*), count(*) FILTER (WHERE j.state = 'running'),
               count(*) FILTER (WHERE j.state = 'held')
        FROM tenure.job j WHERE j.batch_id = r.id) AS live
    CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE h.outcome = 'completed'),
               count(*) FILTER (WHERE h.outcome = 'cancelled'),
               count(*) FILTER (WHERE h.outcome = 'superseded'),
               count(*) FILTER (WHERE h.outcome = 'discarded')
        FROM tenure.job_history h WHERE h.batch_id = r.id AND with_ended) AS past
    WHERE r.id = batch_progress.batch;
END $$;
