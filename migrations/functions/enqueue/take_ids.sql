-- Given ids: an id that the caller chose for a job stands for one enqueue.
--
-- Why: whoever doesn't know whether an enqueue arrived sends it again with the same id. It must
-- neither fail, nor run the job twice when it is over by then (docs/decisions/given-ids.md).
--   * A row of its own for each, written with the enqueue and only for ids that were given: who
--     inserts one that is there waits for its writer, at any isolation, and answers what it says.
--     A look at job and history could not do that: a transaction that keeps its snapshot doesn't
--     see a job that came and ended since.
--   * The row goes when nothing is kept by the id any more: neither the job, nor its history, nor
--     how it ended for those that waited for it. Until then it stays, the job deleted or forgotten:
--     so nobody who has seen a job finds another one under its id.
-- Locks: given ids sorted, after batches and before subjects.

-- Takes the ids of jobs that are to be enqueued, for this transaction. Returns a row for each job
-- that is not to be: its id was given before, by an earlier enqueue or by another job of the call;
-- or somebody has, or had, it all the same, because the library drew it and it is enqueued again.
CREATE OR REPLACE FUNCTION tenure.take_ids(ordinals integer[], ids uuid[])
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
#variable_conflict use_column
DECLARE
    taken uuid[];
BEGIN
    WITH new AS (
        INSERT INTO tenure.given_id (id, job_id)
        SELECT DISTINCT u.id, u.id FROM unnest(ids) AS u (id) ORDER BY 1
        ON CONFLICT DO NOTHING RETURNING id)
    SELECT array_agg(n.id) INTO taken FROM new n;
    -- A statement of its own: it sees what was waited for.
    RETURN QUERY
    SELECT w.ordinal, w.job_id, coalesce(j.generation, h.generation), 'kept'::text
    FROM (SELECT u.ordinal, coalesce(g.job_id, u.id) AS job_id,
                 u.place = 1 AND u.id IN (SELECT t.id FROM unnest(taken) AS t (id)) AS is_ours
          FROM (SELECT a.ordinal, a.id,
                       row_number() OVER (PARTITION BY a.id ORDER BY a.ordinal) AS place
                FROM unnest(ordinals, ids) AS a (ordinal, id)) AS u
          LEFT JOIN LATERAL (
              SELECT g.job_id FROM tenure.given_id g WHERE g.id = u.id OFFSET 0) AS g ON true
          OFFSET 0) AS w
    LEFT JOIN LATERAL (
        SELECT j.id, j.generation FROM tenure.job j WHERE j.id = w.job_id OFFSET 0) AS j ON true
    LEFT JOIN LATERAL (
        SELECT h.id, h.generation FROM tenure.job_history h
        WHERE j.id IS NULL AND h.id = w.job_id LIMIT 1) AS h ON true
    WHERE NOT w.is_ours OR j.id IS NOT NULL OR h.id IS NOT NULL
       OR tenure.is_left_of(w.job_id);
END $$;

-- Whether something that decides is kept by an id whose job is neither unfinished nor in history:
-- it would be taken for another job's that has it now.
CREATE OR REPLACE FUNCTION tenure.is_left_of(job uuid) RETURNS boolean
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    RETURN EXISTS (SELECT FROM tenure.job_end e WHERE e.id = is_left_of.job)
        OR EXISTS (SELECT FROM tenure.job_after a WHERE a.job_id = is_left_of.job)
        OR EXISTS (SELECT FROM tenure.job_wait w WHERE w.job_id = is_left_of.job)
        OR EXISTS (SELECT FROM tenure.job_step s WHERE s.job_id = is_left_of.job)
        OR EXISTS (SELECT FROM tenure.job_signal s WHERE s.job_id = is_left_of.job);
END $$;

-- Takes the ids of follow-ups, in the order of locks: before any subject is locked.
CREATE OR REPLACE FUNCTION tenure.take_follow_ups(follow_ups jsonb) RETURNS tenure.enqueued[]
LANGUAGE plpgsql AS $$
DECLARE
    ordinals integer[];
    ids      uuid[];
BEGIN
    SELECT array_agg(f.ordinal), array_agg(f.id) INTO ordinals, ids
    FROM ROWS FROM (jsonb_to_recordset(follow_ups) AS (id uuid)) WITH ORDINALITY AS f (id, ordinal)
    WHERE f.id IS NOT NULL;
    IF ids IS NULL THEN
        RETURN '{}';
    END IF;
    RETURN array(SELECT t FROM tenure.take_ids(ordinals, ids) AS t);
END $$;

-- What became of jobs with given ids: where another job stands for one, by its key, it is written
-- down for whoever gives the id again.
CREATE OR REPLACE FUNCTION tenure.note_given(news tenure.new_job[], answers tenure.enqueued[])
RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    UPDATE tenure.given_id g SET job_id = w.job_id
    FROM (SELECT n.id, a.id AS job_id
          FROM unnest(news) AS n JOIN unnest(answers) AS a ON a.ordinal = n.ordinal
          WHERE n.is_given AND a.id <> n.id OFFSET 0) AS w
    WHERE g.id = w.id;
END $$;
