-- The jobs of a key that have ended, of a kind or of any, as far as history goes back: by the
-- filters of their index, which the planner, who takes keys for scattered, would hold for worth
-- nothing.
CREATE OR REPLACE FUNCTION tenure.past_of_key(asked_kind text, asked_key text)
RETURNS SETOF tenure.job_history
LANGUAGE sql STABLE
SET enable_seqscan = off SET enable_indexscan = off SET jit = off AS $$
    SELECT h.* FROM tenure.job_history h  -- as a whole it would be read with its payload
    WHERE h.key = asked_key AND (asked_kind IS NULL OR h.kind = asked_kind)
$$;
