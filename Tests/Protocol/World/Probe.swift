/// What the runner adds to a database: a log of what each commit changed, in the order of the
/// commits; gates inside functions; and the reset to the world.
enum Probe {
    static let sql = log + gates + locked + reset

    /// Deferred: it notes at COMMIT, while the transaction still has its locks. So two
    /// transactions that share a lock are noted in their order.
    private static let log = """
        CREATE SCHEMA probe;
        CREATE UNLOGGED TABLE probe.log (
            seq bigserial, what text, op text, old jsonb, new jsonb, xid bigint);
        CREATE FUNCTION probe.note() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO probe.log (what, op, old, new, xid)
            VALUES (CASE WHEN TG_TABLE_NAME LIKE 'job_history%' THEN 'history'
                         ELSE TG_TABLE_NAME END, TG_OP,
                    CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END,
                    CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END, txid_current());
            RETURN NULL;
        END $$;
        DO $$
        DECLARE
            target text;
        BEGIN
            FOREACH target IN ARRAY ARRAY['tenure.job', 'tenure.subject', 'tenure.session',
                'tenure.leader', 'tenure.schedule', 'tenure.queue', 'tenure.batch', 'app.effect',
                'tenure.job_after', 'tenure.job_end', 'tenure.kept_key',
                'tenure.job_history_ended_default', 'tenure.job_history_discarded_default']
            LOOP
                EXECUTE format('CREATE CONSTRAINT TRIGGER note AFTER INSERT OR UPDATE OR DELETE
                    ON %s DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW
                    WHEN (current_setting(''probe.quiet'', true) IS DISTINCT FROM ''on'')
                    EXECUTE FUNCTION probe.note()', target);
            END LOOP;
        END $$;

        """

    /// A connection that has set `probe.gate` stops there, on an advisory lock that the keeper
    /// holds; one that has set `probe.visits` writes down which gates it passes.
    private static let gates = """
        CREATE FUNCTION probe.gate(name text) RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            IF current_setting('probe.gate', true) = name THEN
                PERFORM pg_advisory_xact_lock(1);
            END IF;
            IF current_setting('probe.visits', true) <> '' THEN
                PERFORM set_config('probe.visits', current_setting('probe.visits') || name || ',',
                                   false);
            END IF;
        END $$;
        -- For a condition that is asked of many rows: the first one stops.
        CREATE FUNCTION probe.passes(name text) RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
            IF position(name IN current_setting('probe.visits', true)) > 0 THEN
                RETURN true;
            END IF;
            PERFORM probe.gate(name);
            RETURN true;
        END $$;

        """

    /// The rows that somebody else has locked just now, each with the statement that waits for it;
    /// or the table, where he has locked that.
    private static let locked = #"""
        CREATE FUNCTION probe.locked() RETURNS TABLE (name text, statement text)
        LANGUAGE plpgsql AS $$
        DECLARE
            target text[];
        BEGIN
            FOREACH target SLICE 1 IN ARRAY ARRAY[
                ['app.page', 'id'], ['tenure.batch', 'id'], ['tenure.subject_lock', 'key'],
                ['tenure.job', 'id'], ['tenure.claim_row', 'number'],
                ['tenure.job_end', 'id'], ['tenure.key_wait', 'id'],
                ['tenure.lane', 'name'], ['tenure.queue', 'name'], ['tenure.session', 'id'],
                ['tenure.leader', 'name'], ['tenure.schedule', 'name'], ['tenure.given_id', 'id'],
                ['tenure.job_history', 'id'], ['tenure.kept_key', 'key']]
            LOOP
                BEGIN
                    EXECUTE format('LOCK TABLE %s IN ROW SHARE MODE NOWAIT', target[1]);
                EXCEPTION WHEN lock_not_available THEN
                    RETURN QUERY SELECT 'table ' || target[1],
                                        format('SELECT count(*)::text FROM %s', target[1]);
                    CONTINUE;
                END;
                RETURN QUERY EXECUTE format($f$
                    WITH free AS MATERIALIZED (
                        SELECT %2$I::text AS id FROM %1$s FOR UPDATE SKIP LOCKED)
                    SELECT split_part('%1$s', '.', 2) || ' '
                    || regexp_replace(t.id, '^0+-.*-0+', ''),
                           'SELECT %2$I::text FROM %1$s WHERE %2$I = ' || quote_literal(t.id)
                           || ' FOR UPDATE'
                    FROM (SELECT %2$I::text AS id FROM %1$s) AS t
                    WHERE t.id NOT IN (SELECT f.id FROM free AS f)$f$, target[1], target[2]);
            END LOOP;
        END $$;

        """#

    /// Not by `session_replication_role`, which would throw all cached plans away every time.
    private static let reset = """
        CREATE FUNCTION probe.reset() RETURNS void LANGUAGE plpgsql
        SET probe.quiet = 'on' AS $$
        BEGIN
            DELETE FROM probe.log;
            DELETE FROM app.effect;
            DELETE FROM app.page;
            DELETE FROM tenure.job;
            DELETE FROM tenure.job_history;
            DELETE FROM tenure.attempt_error;
            DELETE FROM tenure.subject;
            DELETE FROM tenure.subject_lock;
            DELETE FROM tenure.session;
            DELETE FROM tenure.lane;
            DELETE FROM tenure.queue;
            DELETE FROM tenure.lane_holders;
            DELETE FROM tenure.lane_call;
            DELETE FROM tenure.lane_hold;
            DELETE FROM tenure.session_begun;
            DELETE FROM tenure.claim_row;
            DELETE FROM tenure.queue_holders;
            DELETE FROM tenure.leader;
            DELETE FROM tenure.schedule;
            DELETE FROM tenure.kind_death;
            DELETE FROM tenure.batch;
            DELETE FROM tenure.given_id;
            DELETE FROM tenure.kept_key;
            DELETE FROM tenure.job_wait;
            DELETE FROM tenure.job_step;
            DELETE FROM tenure.job_signal;
            DELETE FROM tenure.job_after;
            DELETE FROM tenure.job_end;
            DELETE FROM tenure.key_wait;
            DELETE FROM tenure.job_letter;
            DELETE FROM tenure.job_tag;
            DELETE FROM tenure.job_log;
            DELETE FROM tenure.job_progress;
            DELETE FROM tenure.action;
            INSERT INTO app.page SELECT * FROM world.page;
            INSERT INTO tenure.batch SELECT * FROM world.batch;
            INSERT INTO tenure.job SELECT * FROM world.job;
            INSERT INTO tenure.job_wait SELECT * FROM world.job_wait;
            INSERT INTO tenure.job_after SELECT * FROM world.job_after;
            INSERT INTO tenure.key_wait SELECT * FROM world.key_wait;
            INSERT INTO tenure.job_history SELECT * FROM world.job_history;
            INSERT INTO tenure.given_id SELECT * FROM world.given_id;
            INSERT INTO tenure.kept_key SELECT * FROM world.kept_key;
            INSERT INTO tenure.subject SELECT * FROM world.subject;
            INSERT INTO tenure.subject_lock SELECT w.kind, w.key FROM world.subject w;
            INSERT INTO tenure.session OVERRIDING SYSTEM VALUE SELECT * FROM world.session;
            INSERT INTO tenure.lane SELECT * FROM world.lane;
            INSERT INTO tenure.queue SELECT * FROM world.queue;
            INSERT INTO tenure.lane_holders SELECT * FROM world.lane_holders;
            INSERT INTO tenure.session_begun SELECT * FROM world.session_begun;
            INSERT INTO tenure.claim_row SELECT * FROM world.claim_row;
            INSERT INTO tenure.lane_hold SELECT * FROM world.lane_hold;
            INSERT INTO tenure.queue_holders SELECT * FROM world.queue_holders;
            INSERT INTO tenure.leader SELECT * FROM world.leader;
            INSERT INTO tenure.schedule SELECT * FROM world.schedule;
            INSERT INTO tenure.attempt_error SELECT * FROM world.attempt_error;
        END $$;
        -- As workers do, until nothing is left to settle.
        CREATE FUNCTION probe.settle() RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            FOR turn IN 1..4 LOOP
                UPDATE tenure.job_end SET again_at = '-infinity' WHERE NOT is_settled;
                PERFORM tenure.settle_ends();
            END LOOP;
        END $$;
        -- As if nobody had made partitions for a while: an error is in the default one.
        CREATE FUNCTION probe.lapse() RETURNS void LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM tenure.drop_partitions('attempt_error', '-30 days');
            INSERT INTO tenure.attempt_error SELECT * FROM world.attempt_error;
        END $$;
        SELECT setval('tenure.generation', 1000), setval('tenure.fence', 10241);
        SELECT tenure.drop_partitions(parent, '-30 days')
        FROM unnest(ARRAY['job_history_ended', 'job_history_discarded', 'attempt_error']) AS parent;
        """
}
