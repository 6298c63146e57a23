-- The other way: the lease stands on the job rows.
UPDATE measure.leased SET lease_until = clock_timestamp() + interval '30 s'
WHERE session_id = :session AND id = ANY ((SELECT ids FROM measure.held)::uuid[]);
