-- The yardstick's tables: the columns, types and storage of the queue's own, with the indexes that
-- a queue can't do without (an id, the order of claims, keys where there are any), and no others.
CREATE TABLE tenure.raw_job (LIKE tenure.job INCLUDING DEFAULTS INCLUDING STORAGE) WITH (
    autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE tenure.raw_job ADD PRIMARY KEY (id);
CREATE INDEX raw_job_claim ON tenure.raw_job (queue, priority, run_at, id)
    WHERE state IN ('scheduled', 'available', 'retryable');
CREATE SEQUENCE tenure.raw_fence;
CREATE TABLE tenure.raw_history (LIKE tenure.job_history INCLUDING DEFAULTS INCLUDING STORAGE);
CREATE INDEX raw_history_id ON tenure.raw_history (id);
CREATE TABLE tenure.raw_subject (LIKE tenure.subject INCLUDING DEFAULTS INCLUDING STORAGE) WITH (
    fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE tenure.raw_subject ADD PRIMARY KEY (kind, key);
CREATE INDEX raw_job_key ON tenure.raw_job (kind, key) WHERE key IS NOT NULL;
