-- Those of the kinds that may be claimed.
CREATE OR REPLACE FUNCTION tenure.open_kinds(kinds text[]) RETURNS text[]
LANGUAGE sql STABLE AS $$
    SELECT array(SELECT w.kind FROM unnest(kinds) AS w (kind)
                 WHERE NOT EXISTS (SELECT FROM tenure.kind k
                                   WHERE k.name = w.kind AND k.paused_at IS NOT NULL))
$$;
