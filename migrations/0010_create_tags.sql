-- Tags: a few words on a job, by which people find it.
--
-- Why: a column would be carried along by each statement that moves a job, and an index of arrays
-- finds the newest of a tag only by finding them all. So a tag is a row of its own, in the order in
-- which lists show jobs; a job without tags has none, and no statement looks here on its account
-- (docs/decisions/tags.md).
-- Locks: none that matter, the table is new.

-- Written with its job, or under the job's lock. It outlives the job as long as history may show
-- that.
CREATE TABLE tenure.job_tag (
    tag    text COLLATE "C",
    job_id uuid,
    PRIMARY KEY (tag, job_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX job_tag_job ON tenure.job_tag (job_id);
-- Of ids that say no time.
CREATE INDEX job_tag_odd ON tenure.job_tag (job_id) WHERE substr(job_id::text, 15, 1) <> '7';
