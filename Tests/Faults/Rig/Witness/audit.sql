-- The database's witness: what happened to which row, written in the transaction that did it.
--
-- A trigger runs while the row it is about is locked, so for one row the order of `seq` is the
-- order of events. `boot` is the machine's boot-time clock, in steps of 10 ms: the wall clock is
-- stepped on purpose.

CREATE SCHEMA rig;

CREATE TABLE effect (
    job uuid NOT NULL, fence bigint NOT NULL, generation bigint, key text, kind text,
    payload_tag text);

-- A producer's own write, in the transaction of its enqueue.
CREATE TABLE note (id uuid PRIMARY KEY);

CREATE SEQUENCE rig.seq;

CREATE TABLE rig.audit (
    seq   bigint PRIMARY KEY,
    boot  numeric NOT NULL,
    xid   xid8 NOT NULL,
    about text NOT NULL,
    op    text NOT NULL,
    old   jsonb,
    new   jsonb);

CREATE FUNCTION rig.witness() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
    INSERT INTO rig.audit (seq, boot, xid, about, op, old, new)
    VALUES (nextval('rig.seq'), split_part(pg_read_file('/proc/uptime'), ' ', 1)::numeric,
            pg_current_xact_id(), TG_ARGV[0], lower(TG_OP),
            CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END,
            CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END);
    RETURN NULL;
END $$;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['job', 'job_history', 'subject', 'session', 'lane', 'queue'] LOOP
        EXECUTE format('CREATE TRIGGER witness AFTER INSERT OR UPDATE OR DELETE ON tenure.%I
                        FOR EACH ROW EXECUTE FUNCTION rig.witness(%L)', name, name);
    END LOOP;
    CREATE TRIGGER witness AFTER INSERT OR UPDATE OR DELETE ON effect
        FOR EACH ROW EXECUTE FUNCTION rig.witness('effect');
END $$;

-- A partition gets what lay in the default one before it is attached, and the witness with it:
-- what moves in between is seen by one that goes then. What attaches it names the parent alone.
CREATE FUNCTION rig.follow() RETURNS event_trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
    part regclass;
BEGIN
    FOR part IN SELECT DISTINCT objid FROM pg_event_trigger_ddl_commands()
                WHERE classid = 'pg_class'::regclass AND object_identity ~ '^tenure.job_history_'
                  AND object_type = 'table' AND TG_TAG = 'CREATE TABLE'
    LOOP
        EXECUTE format('CREATE TRIGGER witness_of_move AFTER INSERT ON %s
                        FOR EACH ROW EXECUTE FUNCTION rig.witness(''job_history'')', part);
    END LOOP;
    FOR part IN SELECT c.oid FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                WHERE t.tgname = 'witness_of_move' AND c.relispartition
    LOOP
        EXECUTE format('DROP TRIGGER witness_of_move ON %s', part);
    END LOOP;
END $$;

CREATE EVENT TRIGGER follow ON ddl_command_end WHEN TAG IN ('CREATE TABLE', 'ALTER TABLE')
    EXECUTE FUNCTION rig.follow();
