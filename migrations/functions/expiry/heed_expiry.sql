-- A job that would go back and start too late is over instead; its errors are kept. The jobs are
-- locked.
CREATE OR REPLACE FUNCTION tenure.heed_expiry(decisions tenure.decision[], locked tenure.job[])
RETURNS tenure.decision[]
LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := clock_timestamp();
BEGIN
    RETURN array(
        SELECT CASE WHEN d.became IN ('available', 'scheduled', 'retryable', 'held')
                     AND l.not_after <= moment + coalesce(d.delay, '0')
                    THEN (d.id, d.fence, 'discarded', NULL, d.result,
                          tenure.expiry_reason(l.not_after, d.reason), d.refund, d.error_code,
                          d.error_message, NULL, d.unbegun)::tenure.decision
                    ELSE d END
        FROM unnest(decisions) AS d JOIN unnest(locked) AS l ON l.id = d.id);
END $$;

-- What is said of a job that expired; `was` is what there was to say of it before.
CREATE OR REPLACE FUNCTION tenure.expiry_reason(not_after timestamptz, was text) RETURNS text
LANGUAGE sql STABLE AS $$
    SELECT 'expired: no run was to start after '
        || coalesce(to_char(not_after AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                    not_after::text)
        || coalesce('; ' || was, '')
$$;
