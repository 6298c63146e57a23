-- Decides what is waited for of these keys, as far as it can be: a commit of the generation, or of
-- a newer one, is there; or no unfinished job is left that could make one. `by_jobs`, beside each
-- key, is whose run's end it is that asks; returns those that have decided something. The subjects
-- are locked, and the statement that ended the job is over.
CREATE OR REPLACE FUNCTION tenure.decide_keys(
    kinds text[], keys text[], by_jobs uuid[] DEFAULT NULL) RETURNS uuid[]
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    one      record;
    about    tenure.subject;
    alive    bigint;
    decides  boolean;
    deciders uuid[] := '{}';
BEGIN
    FOR one IN
        SELECT DISTINCT ON (w.kind, w.key) w.kind, w.key, w.job
        FROM unnest(kinds, keys, by_jobs) AS w (kind, key, job) ORDER BY w.kind, w.key, w.job
    LOOP
        SELECT * INTO about FROM tenure.subject_of(one.kind, one.key);
        alive := coalesce(tenure.newest_alive(one.kind, one.key), 0);
        decides := tenure.end_key(one.kind, one.key, about, alive, one.job);
        IF decides AND one.job IS NOT NULL THEN
            deciders := deciders || one.job;
        END IF;
        -- With each decision the subject is a newer one: who keeps a snapshot does not go by what
        -- was open then.
        UPDATE tenure.subject s SET is_awaited = o.is_open, touched_at = clock_timestamp()
        FROM (SELECT EXISTS (
                  SELECT FROM tenure.key_wait w
                  WHERE w.kind = one.kind AND w.key = one.key AND w.is_open) AS is_open) AS o
        WHERE s.kind = one.kind AND s.key = one.key AND s.issued = about.issued
          AND (decides OR s.is_awaited <> o.is_open);
    END LOOP;
    RETURN deciders;
END $$;

-- The same for the keys of those runs that were an end of their jobs.
CREATE OR REPLACE FUNCTION tenure.decide_ended(
    decisions tenure.decision[], locked tenure.job[]) RETURNS uuid[]
LANGUAGE plpgsql AS $$
DECLARE
    ended CONSTANT tenure.job[] := array(
        SELECT l FROM unnest(decisions) AS d JOIN unnest(locked) AS l ON l.id = d.id
        WHERE l.key IS NOT NULL
          AND d.became IN ('completed', 'discarded', 'cancelled', 'superseded'));
BEGIN
    RETURN tenure.decide_keys(
        array(SELECT e.kind FROM unnest(ended) AS e), array(SELECT e.key FROM unnest(ended) AS e),
        array(SELECT e.id FROM unnest(ended) AS e));
END $$;

-- For enqueues that keep a job: where `clear_pending` gave up another of the key, and none came,
-- nobody else would look. The subjects are locked.
CREATE OR REPLACE FUNCTION tenure.decide_kept(news tenure.new_job[]) RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    PERFORM tenure.decide_keys(array_agg(k.kind), array_agg(k.key)) FROM (
        SELECT n.kind, n.key FROM unnest(news) AS n
        CROSS JOIN LATERAL tenure.subject_of(n.kind, n.key) AS s
        WHERE n.mode = 'keeping' AND s.is_awaited) AS k
    HAVING count(*) > 0;
END $$;

-- The same for one key: whether it has decided something. What fails does so because of the job
-- that was given up last, in the words that history has of it.
CREATE OR REPLACE FUNCTION tenure.end_key(
    of_kind text, of_key text, about tenure.subject, alive bigint, by_job uuid) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off
SET enable_mergejoin = off SET jit = off AS $$
DECLARE
    became CONSTANT tenure.job_outcome := coalesce(about.given_up_as, 'discarded');
    reason text;
    cause  text[];
BEGIN
    IF about.given_up_id IS NOT NULL AND EXISTS (
        SELECT FROM tenure.key_wait w
        WHERE w.kind = of_kind AND w.key = of_key AND w.is_open
          AND w.generation > greatest(about.committed, alive)) THEN
        reason := tenure.quote_given_up(about.given_up_id);
        -- One that was cancelled for another's end is named on the way from there.
        -- Whoever gives reasons may begin one like that.
        cause := regexp_match(reason, '^after: job ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})'
                              ' was (completed|discarded|cancelled|superseded)'
                              '(?:, by way of [^:]*)?(?:: (.*))?$');
    END IF;
    WITH decided AS (
        UPDATE tenure.key_wait w SET is_open = false, decided_by = by_job
        WHERE w.kind = of_kind AND w.key = of_key AND w.is_open
          AND (w.generation <= about.committed OR w.generation > alive)
        RETURNING w.id, w.made_at, w.generation <= about.committed AS is_done
    )
    INSERT INTO tenure.job_end (id, made, outcome, is_key, root_id, root, root_reason, path)
    SELECT d.id, d.made_at, CASE WHEN d.is_done THEN 'completed' ELSE became END, true,
           CASE WHEN NOT d.is_done THEN coalesce(cause[1]::uuid, about.given_up_id) END,
           CASE WHEN NOT d.is_done THEN coalesce(cause[2]::tenure.job_outcome, became) END,
           CASE WHEN d.is_done THEN NULL WHEN cause IS NULL THEN reason ELSE cause[3] END,
           CASE WHEN NOT d.is_done AND cause IS NOT NULL THEN ARRAY[about.given_up_id]
                ELSE '{}' END
    FROM decided d
    ON CONFLICT (id, made) DO NOTHING;
    RETURN FOUND;
END $$;

-- The reason of a key's job that was given up, as history has it; locked: nobody forgets what is
-- about to be copied. What somebody is just forgetting is not quoted, and not waited for.
CREATE OR REPLACE FUNCTION tenure.quote_given_up(job uuid) RETURNS text
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
    RETURN (SELECT l.reason FROM (
        SELECT h.reason FROM tenure.job_history h
        WHERE h.id = job AND h.outcome IN ('discarded', 'cancelled', 'superseded')
        ORDER BY h.finished_at DESC LIMIT 1 FOR KEY SHARE SKIP LOCKED) AS l);
END $$;

-- Writes down which generation of a key was given up, with its job; where others wait for the key,
-- decides whether that was in vain. `followed`: the caller sees to another job of the key first.
-- The subjects are locked.
CREATE OR REPLACE FUNCTION tenure.note_given_up(
    ids uuid[], kinds text[], keys text[], numbers bigint[], how tenure.job_outcome,
    followed boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    awaited_kinds text[];
    awaited_keys  text[];
BEGIN
    WITH lost AS (
        INSERT INTO tenure.subject AS s (kind, key, issued, given_up, given_up_as, given_up_id)
        SELECT w.kind, w.key, o.issued, w.number, how, w.id
        FROM (SELECT DISTINCT ON (w.kind, w.key) w.*
              FROM unnest(ids, kinds, keys, numbers) AS w (id, kind, key, number)
              WHERE w.number IS NOT NULL
              ORDER BY w.kind, w.key, w.number DESC) AS w
        CROSS JOIN LATERAL tenure.subject_of(w.kind, w.key) AS o
        ON CONFLICT (kind, key, issued) DO UPDATE
        SET given_up = greatest(s.given_up, EXCLUDED.given_up), touched_at = clock_timestamp(),
            given_up_as = EXCLUDED.given_up_as, given_up_id = EXCLUDED.given_up_id
        RETURNING s.kind, s.key, s.is_awaited
    )
    SELECT array_agg(l.kind), array_agg(l.key) INTO awaited_kinds, awaited_keys
    FROM lost l WHERE l.is_awaited;
    IF awaited_kinds IS NOT NULL AND NOT followed THEN
        PERFORM tenure.decide_keys(awaited_kinds, awaited_keys);
    END IF;
END $$;
