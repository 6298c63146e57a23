-- One turn: at most one job of each key. `issued`: they have their generations.
CREATE OR REPLACE FUNCTION tenure.enqueue_turn(news tenure.new_job[], issued boolean DEFAULT false)
RETURNS SETOF tenure.enqueued
LANGUAGE plpgsql AS $$
DECLARE
    modes   text[];
    settled tenure.enqueued[] := '{}';
    is_kept boolean;
    tagged  boolean;
    gave_up tenure.new_job[];
BEGIN
    IF NOT issued THEN
        news := tenure.issue_generations(news);
    END IF;
    SELECT array_agg(DISTINCT n.mode), bool_or(n.within IS NOT NULL), bool_or(n.tags IS NOT NULL)
    INTO modes, is_kept, tagged FROM unnest(news) AS n;
    IF 'superseding' = ANY (modes) THEN
        PERFORM tenure.retire_superseded(news);
    END IF;
    IF modes && '{coalescing, debounced, keeping}' THEN
        IF tenure.clear_pending(news) THEN
            gave_up := news;
        END IF;
    END IF;
    IF modes && '{coalescing, debounced}' THEN
        settled := array(SELECT u FROM tenure.update_pending(news) AS u);
        PERFORM tenure.call_lanes(array(SELECT s.id FROM unnest(settled) AS s));
    END IF;
    IF 'keeping' = ANY (modes) THEN
        settled := settled || array(SELECT k FROM tenure.find_kept(news) AS k);
    END IF;
    IF tagged AND settled <> '{}' THEN
        PERFORM tenure.write_tags(news, settled);
    END IF;
    IF settled <> '{}' THEN
        news := array(
            SELECT n FROM unnest(news) AS n
            WHERE n.ordinal NOT IN (SELECT s.ordinal FROM unnest(settled) AS s));
    END IF;
    PERFORM tenure.insert_jobs(news);
    IF tagged THEN
        PERFORM tenure.write_tags(news, NULL);
    END IF;
    -- In a series another of the key may come yet.
    IF gave_up IS NOT NULL AND NOT issued THEN
        PERFORM tenure.decide_kept(gave_up);
    END IF;
    IF is_kept THEN
        PERFORM tenure.keep_keys(news);
    END IF;
    RETURN QUERY SELECT s.* FROM unnest(settled) AS s
                 UNION ALL
                 SELECT n.ordinal, n.id, n.generation, 'enqueued' FROM unnest(news) AS n;
END $$;
