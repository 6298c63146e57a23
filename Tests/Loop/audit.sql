-- Who did what in which transaction: written by triggers, so that the checker needs nobody's word.
CREATE SCHEMA audit;
CREATE TABLE audit.fired (at timestamptz, xid xid8, schedule text, due timestamptz);
CREATE TABLE audit.enqueued (at timestamptz, xid xid8, job uuid, key text);
CREATE TABLE audit.ended (at timestamptz, xid xid8, job uuid, key text, outcome text);
CREATE TABLE audit.begun (at timestamptz, xid xid8, site uuid, check_id uuid);
CREATE TABLE audit.finished (at timestamptz, xid xid8, site uuid, check_id uuid);
CREATE TABLE audit.skipped (at timestamptz, xid xid8, site uuid, why text);
CREATE TABLE audit.noticed (at timestamptz, xid xid8, site uuid, check_id uuid, notice uuid);

CREATE FUNCTION audit.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    xid xid8 := pg_current_xact_id();
BEGIN
    CASE TG_ARGV[0]
    WHEN 'fired' THEN
        INSERT INTO audit.fired VALUES (moment, xid, NEW.name, OLD.next_at);
    WHEN 'enqueued' THEN
        INSERT INTO audit.enqueued VALUES (moment, xid, NEW.id, NEW.key);
    WHEN 'ended' THEN
        INSERT INTO audit.ended VALUES (moment, xid, NEW.id, NEW.key, NEW.outcome);
    WHEN 'begun' THEN
        INSERT INTO audit.begun VALUES (moment, xid, NEW.site, NEW.id);
    WHEN 'finished' THEN
        INSERT INTO audit.finished VALUES (moment, xid, NEW.site, NEW.id);
    WHEN 'skipped' THEN
        INSERT INTO audit.skipped VALUES (moment, xid, NEW.id, NEW.skipped_why);
    WHEN 'noticed' THEN
        INSERT INTO audit.noticed VALUES (moment, xid, NEW.site, NEW.check_id, NEW.id);
    END CASE;
    RETURN NULL;
END $$;

CREATE TRIGGER audit AFTER UPDATE ON tenure.schedule FOR EACH ROW
    WHEN (NEW.fired > OLD.fired AND NEW.name LIKE 'site:%')
    EXECUTE FUNCTION audit.note('fired');
CREATE TRIGGER audit AFTER INSERT ON tenure.job FOR EACH ROW
    WHEN (NEW.key LIKE 'site:%') EXECUTE FUNCTION audit.note('enqueued');
CREATE TRIGGER audit AFTER INSERT ON tenure.job_history FOR EACH ROW
    WHEN (NEW.key LIKE 'site:%') EXECUTE FUNCTION audit.note('ended');
CREATE TRIGGER audit AFTER UPDATE ON content.site_check FOR EACH ROW
    WHEN (NEW.site IS NOT NULL AND OLD.site IS NULL) EXECUTE FUNCTION audit.note('begun');
CREATE TRIGGER audit_end AFTER UPDATE ON content.site_check FOR EACH ROW
    WHEN (NEW.finished_at IS NOT NULL AND OLD.finished_at IS NULL)
    EXECUTE FUNCTION audit.note('finished');
CREATE TRIGGER audit AFTER UPDATE ON content.site FOR EACH ROW
    WHEN (NEW.skipped_at IS DISTINCT FROM OLD.skipped_at) EXECUTE FUNCTION audit.note('skipped');
CREATE TRIGGER audit AFTER INSERT ON content.notice FOR EACH ROW
    WHEN (NEW.site IS NOT NULL) EXECUTE FUNCTION audit.note('noticed');
