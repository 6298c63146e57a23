-- Writes the tags of jobs: of those that were enqueued, and of those that were updated, which lose
-- the tags that they had; a newer content that brings none leaves them. `answers` says what became
-- of the jobs; null: each is a row of its own.
CREATE OR REPLACE FUNCTION tenure.write_tags(news tenure.new_job[], answers tenure.enqueued[])
RETURNS void
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
    renewed uuid[];
BEGIN
    IF answers IS NULL THEN
        -- Of an earlier job of the same id, whom nobody keeps any more.
        DELETE FROM tenure.job_tag t WHERE t.job_id = ANY (array(
            SELECT n.id FROM unnest(news) AS n WHERE n.tags IS NOT NULL));
        INSERT INTO tenure.job_tag (tag, job_id)
        SELECT t.tag, n.id FROM unnest(news) AS n CROSS JOIN LATERAL unnest(n.tags) AS t (tag)
        ON CONFLICT DO NOTHING;
        RETURN;
    END IF;
    renewed := array(
        SELECT a.id FROM unnest(answers) AS a JOIN unnest(news) AS n ON n.ordinal = a.ordinal
        WHERE a.result IN ('enqueued', 'updated') AND n.tags IS NOT NULL);
    DELETE FROM tenure.job_tag t WHERE t.job_id = ANY (renewed);
    INSERT INTO tenure.job_tag (tag, job_id)
    SELECT t.tag, a.id
    FROM unnest(answers) AS a JOIN unnest(news) AS n ON n.ordinal = a.ordinal
    CROSS JOIN LATERAL unnest(n.tags) AS t (tag)
    WHERE a.result IN ('enqueued', 'updated')
    ON CONFLICT DO NOTHING;
END $$;

-- Tags as an array of JSON, each of them once; null where there is none. Raises TN003 for what is
-- no tag.
CREATE OR REPLACE FUNCTION tenure.read_tags(tags jsonb) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    wrong text;
BEGIN
    IF tags IS NULL OR tags IN ('null', '[]') THEN
        RETURN NULL;
    ELSIF jsonb_typeof(tags) <> 'array' THEN
        wrong := format('tags are given as %s; give an array of strings', jsonb_typeof(tags));
    ELSIF jsonb_array_length(tags) > 10 THEN
        wrong := format('tags are %s; give at most 10', jsonb_array_length(tags));
    ELSE
        SELECT w.text INTO wrong FROM jsonb_array_elements(tags) AS t (tag)
        CROSS JOIN LATERAL (SELECT CASE
            WHEN jsonb_typeof(t.tag) <> 'string'
            THEN format('tag is %s; give a string', left(t.tag::text, 64))
            ELSE 'tag ' || tenure.wrong_name(t.tag #>> '{}', 64) END) AS w (text)
        WHERE w.text IS NOT NULL LIMIT 1;
    END IF;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'a job''s %', wrong USING ERRCODE = 'TN003';
    END IF;
    RETURN array(SELECT DISTINCT t.tag FROM jsonb_array_elements_text(tags) AS t (tag) ORDER BY 1);
END $$;
