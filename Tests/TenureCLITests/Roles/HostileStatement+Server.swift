extension HostileStatement {
    /// Who makes others wait.
    static let locking = [
        Self("all of the jobs", "-----", "LOCK TABLE tenure.job IN ACCESS EXCLUSIVE MODE"),
        Self("against claims", "-----", "LOCK TABLE tenure.job IN SHARE MODE"),
        Self("against enqueues", "-----", "LOCK TABLE tenure.job IN ROW EXCLUSIVE MODE"),
        Self("against migrations", "-wcro", "LOCK TABLE tenure.job IN ACCESS SHARE MODE"),
        Self("history", "-----", "LOCK TABLE tenure.job_history IN SHARE MODE"),
        Self("sessions", "-----", "LOCK TABLE tenure.session IN SHARE MODE"),
        Self("migrators' turn", "-----", "LOCK TABLE tenure.migration IN SHARE MODE"),
        Self("every job", "-----", "SELECT FROM tenure.job FOR UPDATE"),
        Self("every job, shared", "-----", "SELECT FROM tenure.job FOR KEY SHARE"),
        Self("every session", "----o", "SELECT FROM tenure.session FOR UPDATE"),
        Self("every queue", "----o", "SELECT FROM tenure.queue FOR UPDATE"),
        Self("every key", "-----", "SELECT FROM tenure.subject_lock FOR UPDATE"),
        Self("every lane", "-----", "SELECT FROM tenure.lane FOR UPDATE"),
        Self("every batch", "-----", "SELECT FROM tenure.batch FOR UPDATE"),
        Self("sweeps' turns", "-----", "SELECT FROM tenure.turn FOR UPDATE"),
        Self("a sweep's turn", "-----", "SELECT tenure.try_turn('sweep_batches')"),
        Self("who leads", "-----", "SELECT FROM tenure.leader FOR UPDATE"),
        // Nothing of the product asks for it: `HostileTests` sees that all goes on.
        Self("an advisory lock", "pwcro", "SELECT pg_advisory_xact_lock(hashtext('tenure.x'))"),
        Self("a word to all", "pwcro", "NOTIFY tenure_available, 'default'"),
    ]

    /// Who makes what belongs to others, or stays.
    static let defining = [
        Self("a table", "-----", "CREATE TABLE tenure.mine (a integer)"),
        Self("a view", "-----", "CREATE VIEW tenure.mine AS SELECT 1"),
        Self(
            "a function", "-----",
            "CREATE FUNCTION tenure.mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'"),
        Self(
            "another enqueue", "-----",
            """
            CREATE OR REPLACE FUNCTION tenure.refuse_job() RETURNS boolean
            LANGUAGE sql AS 'SELECT true'
            """),
        Self(
            "a function as its caller", "-----",
            "ALTER FUNCTION tenure.read_end SECURITY INVOKER"),
        Self("another owner", "-----", "ALTER TABLE tenure.job OWNER TO CURRENT_USER"),
        Self("a column", "-----", "ALTER TABLE tenure.job ADD COLUMN mine integer"),
        Self("an index", "-----", "CREATE INDEX mine ON tenure.job (kind)"),
        Self(
            "a trigger", "-----",
            """
            CREATE TRIGGER mine AFTER INSERT ON tenure.job
            EXECUTE FUNCTION suppress_redundant_updates_trigger()
            """),
        Self("a rule", "-----", "CREATE RULE mine AS ON DELETE TO tenure.job DO INSTEAD NOTHING"),
        Self("no jobs", "-----", "TRUNCATE tenure.job"),
        Self("no table", "-----", "DROP TABLE tenure.job_progress"),
        Self("no schema", "-----", "DROP SCHEMA content CASCADE"),
        Self(
            "rights to come", "-----",
            """
            ALTER DEFAULT PRIVILEGES FOR ROLE OWNER_NAME IN SCHEMA tenure
            GRANT ALL ON TABLES TO PUBLIC
            """),
        Self("a schema", "-----", "CREATE SCHEMA mine"),
        Self("a policy", "-----", "CREATE POLICY mine ON tenure.job"),
        Self("a comment", "-----", "COMMENT ON TABLE tenure.job IS 'mine'"),
        Self("statistics", "-----", "CREATE STATISTICS tenure.mine ON kind, queue FROM tenure.job"),
        Self("a publication", "-----", "CREATE PUBLICATION mine FOR TABLE tenure.job"),
        Self("a cast", "-----", "CREATE CAST (jsonb AS uuid) WITH INOUT AS IMPLICIT"),
        Self("a table of one's own", "pwcro", "CREATE TEMPORARY TABLE job (a integer)"),
        Self("a large object", "pwcro", "SELECT lo_create(0)"),
    ]

    /// Who becomes somebody else, or leaves the database.
    static let escaping = [
        Self("the owner", "-----", "SET LOCAL ROLE OWNER_NAME"),
        Self("the owner's session", "-----", "SET LOCAL SESSION AUTHORIZATION OWNER_NAME"),
        Self("a role", "-----", "CREATE ROLE mine SUPERUSER"),
        Self("the owner's settings", "-----", "ALTER ROLE OWNER_NAME SET search_path = mine"),
        Self("the server's settings", "-----", "SET LOCAL session_replication_role = replica"),
        Self("the database's settings", "-----", "ALTER DATABASE DATABASE_NAME SET jit = off"),
        Self("a file", "-----", "SELECT pg_read_file('PG_VERSION')"),
        Self("a folder", "-----", "SELECT pg_ls_dir('.')"),
        Self("a copy in a file", "-----", "COPY tenure.migration TO '/tmp/tenure-hostile-copy'"),
        Self("a program", "-----", "COPY (SELECT 1) TO PROGRAM 'cat > /dev/null'"),
        Self("an imported file", "-----", "SELECT lo_import('PG_VERSION')"),
        Self("a language", "-----", "CREATE LANGUAGE mine HANDLER plpgsql_call_handler"),
        Self(
            "another's password", "-----", "ALTER ROLE OWNER_NAME PASSWORD 'mine'"),
        Self("the server's files again", "-----", "SELECT pg_reload_conf()"),
        Self("the owner's connections", "-----", "SELECT pg_terminate_backend(VICTIM)"),
        Self("the owner's statements", "-----", "SELECT pg_cancel_backend(VICTIM)"),
    ]
}
