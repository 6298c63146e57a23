-- psql --set job=… --set fence=… --set invoice=7 --file finish.sql
\set ON_ERROR_STOP on
BEGIN;
UPDATE invoice SET sent_at = now() WHERE id = :invoice;
SELECT tenure.finish(:'job', :fence);
COMMIT;
