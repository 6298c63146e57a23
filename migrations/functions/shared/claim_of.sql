-- The number of the claim row that a fence would be of, if it is of one. Any number may come as a
-- fence, the least of all, too.
CREATE OR REPLACE FUNCTION tenure.claim_of(fence bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT fence - (greatest(fence, 1) - 1) % 1024 $$;
