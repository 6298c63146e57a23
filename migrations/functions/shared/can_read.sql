-- Whether a payload of this version can be read by who reads so much of each kind: `versions` has
-- the newest that it does, at the kind's place in `kinds`; null: all of them. It becomes part of
-- its caller's plan. Version 1, which nearly all payloads have, searches no array.
CREATE OR REPLACE FUNCTION tenure.can_read(
    version smallint, kind text, kinds text[], versions smallint[]) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT version <= 1 OR coalesce(version <= versions[array_position(kinds, kind)], true)
$$;
