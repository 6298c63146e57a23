-- Each run of a job in a lane, from its claim to its end, and each check's begin.
CREATE SCHEMA audit;
CREATE TABLE audit.run (lane text, fence bigint, job uuid, claimed timestamptz, ended timestamptz,
                        PRIMARY KEY (fence));
CREATE TABLE audit.enqueued (at timestamptz, kind text, lane text);
CREATE FUNCTION audit.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO audit.enqueued
        VALUES (greatest(NEW.run_at, clock_timestamp()), NEW.kind, NEW.lane);
        RETURN NULL;
    END IF;
    IF OLD.fence IS NOT NULL AND OLD.state = 'running' THEN
        UPDATE audit.run SET ended = clock_timestamp() WHERE fence = OLD.fence AND ended IS NULL;
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.state = 'running' THEN
        INSERT INTO audit.run VALUES (NEW.lane, NEW.fence, NEW.id, NEW.claimed_at)
        ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER audit_new AFTER INSERT ON tenure.job FOR EACH ROW
    EXECUTE FUNCTION audit.note();
CREATE TRIGGER audit_run AFTER UPDATE ON tenure.job FOR EACH ROW
    WHEN (OLD.lane IS NOT NULL AND OLD.fence IS DISTINCT FROM NEW.fence
          OR OLD.lane IS NOT NULL AND OLD.state = 'running' AND NEW.state <> 'running')
    EXECUTE FUNCTION audit.note();
CREATE TRIGGER audit_end AFTER DELETE ON tenure.job FOR EACH ROW
    WHEN (OLD.lane IS NOT NULL) EXECUTE FUNCTION audit.note();
