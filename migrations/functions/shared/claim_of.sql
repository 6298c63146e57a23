-- The number of the claim row that a fence would be of, if it is of one.
CREATE OR REPLACE FUNCTION tenure.claim_of(fence bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$ SELECT fence - (fence - 1) % 1024 $$;
