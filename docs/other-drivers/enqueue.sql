-- psql --set invoice=7 --file enqueue.sql
\set ON_ERROR_STOP on
BEGIN;
INSERT INTO invoice (id) VALUES (:invoice);
SELECT job_id FROM tenure.enqueue(
    'send-invoice', jsonb_build_object('invoice', :invoice),
    key => 'invoice-' || :invoice, mode => 'superseding', notify => true);
COMMIT;
