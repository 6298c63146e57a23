"""Logins of each role with statements that docs/operate/roles.md doesn't give them, and a stranger
without any. What isn't theirs is refused (42501), what they may do hurts nobody, the queue goes
on."""
import threading
import time

import psycopg

ROLES = ("producer", "worker", "coordinator", "reader", "operator", "stranger")
READ = {"producer": "READ", "worker": "READ", "coordinator": "READ", "stranger": "ANY"}
OTHER = "(SELECT id FROM tenure.job WHERE key = 'target')"

# (what, the statement, who may not). Each has to end in 42501, "permission denied", or to be of no
# effect on what `Stand.harm` looks at. The statements of `NOBODY` are for every role.
NOBODY = {
    "drop a table": "DROP TABLE tenure.job",
    "alter a table": "ALTER TABLE tenure.job ADD COLUMN mine text",
    "truncate jobs": "TRUNCATE tenure.job",
    "truncate history": "TRUNCATE tenure.job_history",
    "a trigger of one's own": "CREATE TRIGGER t BEFORE INSERT ON tenure.job FOR EACH ROW EXECUTE "
                              "FUNCTION suppress_redundant_updates_trigger()",
    "a rule of one's own": "CREATE RULE r AS ON INSERT TO tenure.job DO INSTEAD NOTHING",
    "a function in the schema": "CREATE FUNCTION tenure.mine() RETURNS int LANGUAGE sql AS "
                                "'SELECT 1'",
    "replace enqueue": "CREATE OR REPLACE FUNCTION tenure.new_id() RETURNS uuid LANGUAGE sql AS "
                       "$$ SELECT '00000000-0000-0000-0000-000000000000'::uuid $$",
    "a table in the schema": "CREATE TABLE tenure.mine (id int)",
    "a schema in the search path": "CREATE SCHEMA pg_evil",
    "drop the schema": "DROP SCHEMA tenure CASCADE",
    "own a table": "ALTER TABLE tenure.job OWNER TO CURRENT_USER",
    "pass rights on": "DO $$ BEGIN GRANT ALL ON tenure.job TO attack_stranger; IF NOT "
        "has_table_privilege('attack_stranger', 'tenure.job', 'SELECT') THEN RAISE "
        "insufficient_privilege USING MESSAGE = 'nothing was passed on'; END IF; END $$",
    "become the owner": "SET ROLE postgres",
    "become the operator's role": "GRANT tenure_operator TO CURRENT_USER",
    "a sequence set back": "SELECT setval(pg_get_serial_sequence('tenure.session', 'id'), 1)",
    "every sequence set back": "SELECT setval(c.oid::regclass, 1, false) FROM pg_class AS c WHERE "
                               "relkind = 'S' AND relnamespace = 'tenure'::regnamespace",
    "a program on the server": "COPY tenure.job TO PROGRAM 'cat'",
    "a file on the server": "COPY tenure.migration FROM '/etc/passwd'",
    "another's process ended": "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                               "WHERE usename = 'postgres' AND pid <> pg_backend_pid()",
    "the migrations' table": "DELETE FROM tenure.migration",
    "the release forged": "INSERT INTO tenure.migration SELECT * FROM tenure.migration",
    "a thousand partitions": "SELECT tenure.make_partitions('job_history_ended', 1000)",
    "partitions of 2^31-1 days": "SELECT tenure.make_partitions('job_history_ended', 2147483647)",
    "partitions of another table": "SELECT tenure.make_partitions('job; DROP TABLE job', 1)",
    "all of history dropped": "SELECT tenure.drop_partitions('job_history_ended', '-100 years')",
    "history dropped at once": "SELECT tenure.drop_partitions('job_history_discarded', '0')",
    "statistics of everybody": "SELECT most_common_vals FROM pg_statistic LIMIT 1",
    "log in by oneself anew": "ALTER ROLE CURRENT_USER SUPERUSER",
    "a setting for everybody": "ALTER DATABASE roles SET search_path = evil",
    "a setting of the server": "ALTER SYSTEM SET fsync = off"}
PRODUCER = {
    "others' payloads": "SELECT payload FROM tenure.job WHERE key = 'target'",
    "others' payloads in history": "SELECT payload FROM tenure.job_history",
    "others' results": "SELECT result FROM tenure.job_history",
    "others' reasons": "SELECT reason FROM tenure.job_history",
    "others' errors": "SELECT * FROM tenure.attempt_error",
    "others' results, of a partition": "SELECT result FROM tenure.job_history_ended_default",
    "others' progress": "SELECT * FROM tenure.job_progress",
    "which fields are secret": "DELETE FROM tenure.secret_field",
    "a job frozen": "UPDATE tenure.job SET state = 'running' WHERE key = 'target'",
    "a job held": "UPDATE tenure.job SET state = 'held' WHERE key = 'target'",
    "a job put off": "UPDATE tenure.job SET run_at = '2999-01-01' WHERE key = 'target'",
    "a job at infinity": "UPDATE tenure.job SET run_at = 'infinity' WHERE key = 'target'",
    "another's payload": "UPDATE tenure.job SET payload = '{\"seconds\":1e9}' WHERE key = 'target'",
    "jobs locked, exclusively": "LOCK TABLE tenure.job IN ACCESS EXCLUSIVE MODE",
    "history locked, exclusively": "LOCK TABLE tenure.job_history IN ACCESS EXCLUSIVE MODE",
    "subjects locked, exclusively": "LOCK TABLE tenure.subject IN EXCLUSIVE MODE",
    "sessions locked, exclusively": "LOCK TABLE tenure.session IN ACCESS EXCLUSIVE MODE",
    "another's kind": "UPDATE tenure.job SET kind = 'demo-fail' WHERE key = 'target'",
    "another's priority": "UPDATE tenure.job SET priority = 9 WHERE key = 'target'",
    "another's attempts": "UPDATE tenure.job SET attempt = 99 WHERE key = 'target'",
    "a job deleted": "DELETE FROM tenure.job WHERE key = 'target'",
    "a job by hand": "INSERT INTO tenure.job (id, run_at, state, kind, queue, payload) VALUES "
                     "(gen_random_uuid(), 'infinity', 'available', 'demo-sleep', 'default', '{}')",
    "a completed job forged": "INSERT INTO tenure.job_history (id, run_at, created_at, "
        "finished_at, outcome, attempt, max_attempts, runs, payload_version, priority, kind, "
        "queue, payload) "
        "VALUES (gen_random_uuid(), now(), now(), now(), 'completed', 1, 1, 1, 1, 5, 'demo-sleep', "
        "'default', '{}')",
    "history rewritten": "UPDATE tenure.job_history SET outcome = 'discarded'",
    "history deleted": "DELETE FROM tenure.job_history",
    "a key killed": "UPDATE tenure.subject SET floor = 9223372036854775807",
    "a key issued to its end": "UPDATE tenure.subject SET issued = 9223372036854775807",
    "a key committed": "UPDATE tenure.subject SET committed = 9223372036854775807",
    "a key made by hand": "INSERT INTO tenure.subject (kind, key, issued, floor) VALUES "
                          "('demo-sleep', 'forged', 1, 9223372036854775807)",
    "keys deleted": "DELETE FROM tenure.subject",
    "a queue paused": "UPDATE tenure.queue SET paused_at = now(), paused_by = 'x'",
    "a queue's limit": "UPDATE tenure.queue SET max_running = 1",
    "a queue's capacity": "UPDATE tenure.queue SET capacity = 1",
    "a queue that keeps nothing": "UPDATE tenure.queue SET keep_completed = false",
    "a lane stopped": "UPDATE tenure.lane SET min_interval = '294000 years'",
    "a lane stopped by its function": "SELECT tenure.set_lane('default', 'shared', 1, "
                                      "'290000 years', 'x')",
    "a lane on hold": "SELECT tenure.hold_lane('default', 'shared', '9 years', 'x', 'x')",
    "a queue limited by its function": "SELECT tenure.limit_queue('default', 1)",
    "letters led elsewhere": "SELECT tenure.set_letter('kind', 'demo-sleep', 'x', 'mine')",
    "letters led elsewhere by hand": "INSERT INTO tenure.dead_letter (thing, name, letter_kind) "
                                     "VALUES ('kind', 'demo-sleep', 'x')",
    "a kind paused": "INSERT INTO tenure.kind (name, paused_at) VALUES ('demo-sleep', now())",
    "a death forged": "INSERT INTO tenure.kind_death SELECT * FROM tenure.kind_death",
    "jobs claimed": "SELECT tenure.claim(1, 'default', '{demo-sleep}', 1000, '{}', '{}')",
    "a session opened": "SELECT tenure.open_session('worker', 'x', '1', '1 hour', '{default}', "
                        "'{demo-sleep}', now(), '{}')",
    "a session by hand": "INSERT INTO tenure.session (lease, role, name, version) VALUES "
                         "('1 h', 'worker', 'x', '1')",
    "a session ended": "UPDATE tenure.session SET ended_at = now()",
    "a session's beat": "UPDATE tenure.session SET beat = 9223372036854775807",
    "a session declared dead": "SELECT tenure.declare_dead(id, beat, id) FROM tenure.session",
    "a session closed": "SELECT tenure.close_session(id) FROM tenure.session",
    "a run finished": f"SELECT tenure.finish({OTHER}, 1)",
    "a job cancelled": f"SELECT tenure.cancel_job({OTHER}, 'x')",
    "a job discarded": f"SELECT tenure.discard_job({OTHER}, 'x')",
    "a job deleted by its function": f"SELECT tenure.delete_job({OTHER})",
    "a job forgotten": f"SELECT tenure.forget_job({OTHER}, true)",
    "jobs forgotten": f"SELECT FROM tenure.forget_jobs(ARRAY[{OTHER}::uuid], true)",
    "a job edited": f"SELECT tenure.edit_job({OTHER}, 'x', payload => '{{}}')",
    "an action forged": "SELECT tenure.note_action('cancel', 'job', '{}', 1, 'x')",
    "others' actions": "SELECT * FROM tenure.action",
    "actions undone": "DELETE FROM tenure.action",
    "leadership taken": "SELECT tenure.lead('coordinator', 1)",
    "leadership by hand": "UPDATE tenure.leader SET session_id = 1",
    "a schedule": "SELECT tenure.put_schedule('x', '1 s', null, null, '{\"kind\":\"x\"}', false)",
    "schedules deleted": "DELETE FROM tenure.schedule",
    "schedules forgotten by their function": "SELECT tenure.forget_schedules('x', '{}')",
    "schedules fired": "SELECT tenure.fire_schedules(1000, '2999-01-01')",
    "history forgotten": "SELECT tenure.drop_batches('0', 100000)",
    "subjects forgotten": "SELECT tenure.drop_idle_subjects('0', 100000)",
    "a batch ended by hand": "UPDATE tenure.batch SET ended_at = now()",
    "a batch's follow-up": "UPDATE tenure.batch SET follow_up = '[{\"kind\":\"evil\"}]'",
    "items read": "SELECT * FROM content.version",
    "items edited": "UPDATE content.item SET url = 'http://evil.test/'",
    "a check widened": "UPDATE content.site_check SET options = options || "
                       "'{\"allowedAddresses\":[\"0.0.0.0/0\"]}'",
    "the clock's steps": "UPDATE tenure.clock SET steps = 2147483647"}
READER = {name: statement for name, statement in PRODUCER.items()
          if not statement.startswith("SELECT p")
          and not name.startswith(("others'", "items read"))}
WORKER = {name: PRODUCER[name] for name in (
    "others' payloads in history", "others' reasons", "a schedule", "schedules deleted",
    "schedules forgotten by their function", "schedules fired", "a queue paused", "history deleted",
    "history rewritten", "a kind paused", "leadership taken")}
COORDINATOR = {name: PRODUCER[name] for name in (
    "others' payloads in history", "others' results", "history rewritten", "jobs claimed",
    "a run finished")}
STRANGER = {**PRODUCER, "an enqueue": "SELECT tenure.enqueue('demo-sleep')",
            "which jobs there are": "SELECT count(*) FROM tenure.job",
            "which sessions there are": "SELECT * FROM tenure.session"}
MATRIX = {"producer": PRODUCER, "worker": WORKER, "coordinator": COORDINATOR, "reader": READER,
          "operator": {}, "stranger": STRANGER}
# What the page gives them, and what therefore has to work.
ALLOWED = {
    "producer": ["SELECT tenure.enqueue('demo-sleep', '{\"seconds\":0}', key => 'a', mode => '%s', "
                 "after => '1 ms')" % mode
                 for mode in ("superseding", "coalescing", "keeping", "debounced")]
                + ["SELECT tenure.enqueue('demo-sleep', '{\"seconds\":0}', lane => 'own')"],
    "worker": ["SELECT tenure.enqueue('demo-sleep', '{\"seconds\":0}')"],
    "coordinator": [], "stranger": [],
    "reader": ["SELECT payload, result FROM tenure.job_history",
               "SELECT * FROM tenure.attempt_error"],
    "operator": ["SELECT payload FROM tenure.job",
                 "SELECT tenure.enqueue('demo-sleep', '{\"seconds\":0}')"]}
# Held open in a transaction, for a while: nobody else may stand still.
HOLDS = {
    "producer": {
        "each subject locked": "SELECT * FROM tenure.subject FOR UPDATE",
        "each job locked": "SELECT id FROM tenure.job FOR UPDATE",
        "each queue locked": "SELECT name FROM tenure.queue FOR UPDATE",
        "each lane locked": "SELECT name FROM tenure.lane FOR UPDATE",
        "queues locked as a table": "LOCK TABLE tenure.queue IN SHARE ROW EXCLUSIVE MODE",
        "subjects locked as a table": "LOCK TABLE tenure.subject IN SHARE ROW EXCLUSIVE MODE",
        "jobs locked in share mode": "LOCK TABLE tenure.job IN SHARE MODE"},
    "reader": {
        "each job locked for share": "SELECT id FROM tenure.job FOR SHARE",
        "jobs locked in share mode": "LOCK TABLE tenure.job IN SHARE MODE",
        "sessions locked": "SELECT id FROM tenure.session FOR UPDATE"}}
HOLDS["stranger"] = {**HOLDS["producer"], **HOLDS["reader"]}
# Objects of one's own that hide those of the system, for a caller that was led to look there first.
SHADOWS = """
CREATE TABLE {schema}.called (what text, by text, login text);
GRANT ALL ON {schema}.called TO PUBLIC;
CREATE FUNCTION {schema}.now() RETURNS timestamptz LANGUAGE sql AS $$
    INSERT INTO {schema}.called VALUES ('now', current_user, session_user);
    SELECT 'infinity'::timestamptz $$;
CREATE FUNCTION {schema}.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$
    INSERT INTO {schema}.called VALUES ('clock_timestamp', current_user, session_user);
    SELECT 'infinity'::timestamptz $$;
CREATE FUNCTION {schema}.length(text) RETURNS int LANGUAGE sql AS $$
    INSERT INTO {schema}.called VALUES ('length', current_user, session_user);
    SELECT 0 $$;
CREATE FUNCTION {schema}.jsonb_typeof(jsonb) RETURNS text LANGUAGE sql AS $$
    INSERT INTO {schema}.called VALUES ('jsonb_typeof', current_user, session_user);
    SELECT 'object' $$;
CREATE FUNCTION {schema}.unequal(text, text) RETURNS boolean LANGUAGE sql AS $$
    INSERT INTO {schema}.called VALUES ('=', current_user, session_user);
    SELECT true $$;
CREATE OPERATOR {schema}.= (LEFTARG = text, RIGHTARG = text, FUNCTION = {schema}.unequal);
CREATE TABLE {schema}.job (id uuid); CREATE TABLE {schema}.subject (id uuid);
CREATE TABLE {schema}.queue (id uuid); GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO PUBLIC;
"""


class Stand:
    def __init__(self, rig, front):
        self.rig, self.front = rig, front
        self.database = rig.database("roles")
        for role in ROLES:
            member = "" if role == "stranger" else f" IN ROLE tenure_{role}"
            self.database.query(f"CREATE ROLE attack_{role} LOGIN{member}")
        self.worker = self.database.worker("--queue", "default:10")
        self.before = self.seeds()

    def seeds(self):
        database = self.database
        job = database.enqueue("demo-sleep", '{"seconds":0,"secret":"abc"}', key="target",
                               run_at="2099-01-01", lane="shared")
        failed = database.enqueue("demo-fail", '{"message":"secret words"}', max_attempts=1)
        done = database.enqueue("demo-sleep", '{"seconds":0}', lane="shared", key="done")
        database.wait_for([failed, done], 10, ("completed", "discarded"))
        self.target = job
        return self.picture()

    def picture(self):
        """What may not change by what somebody without the right does."""
        return {name: self.database.query(statement) for name, statement in {
            "the job": "SELECT to_jsonb(j) - 'created_at' FROM tenure.job AS j "
                       "WHERE key = 'target'",
            "its subject": "SELECT floor, committed, issued FROM tenure.subject "
                           "WHERE key = 'target'",
            "history": "SELECT count(*), min(outcome::text) FROM tenure.job_history "
                       "WHERE kind = 'demo-fail'",
            "the queue": "SELECT paused_at, max_running, capacity, keep_completed FROM "
                         "tenure.queue WHERE name = 'default'",
            "the lane": "SELECT max_running, min_interval FROM tenure.lane WHERE name = 'shared'",
            "schedules": "SELECT count(*) FROM tenure.schedule",
            "kinds": "SELECT name FROM tenure.kind WHERE paused_at IS NOT NULL",
            "partitions": "SELECT count(*) < 200 FROM pg_class WHERE relnamespace = "
                          "'tenure'::regnamespace AND relkind = 'r'",
            "sessions": "SELECT count(*) FROM tenure.session WHERE ended_at IS NULL",
        }.items()}

    def statement(self, role, what, statement):
        """In a transaction that is rolled back: it is refused, or it isn't."""
        alone = statement.startswith("ALTER SYSTEM")  # in no transaction
        connection = self.database.connect(f"attack_{role}", autocommit=alone)
        problem, seen = "", ""
        try:
            connection.execute("SET statement_timeout = '5s'; SET lock_timeout = '2s'")
            cursor = connection.execute(statement)
            rows = cursor.fetchall() if cursor.description else None
            if rows is None and cursor.rowcount == 0:
                seen = "no row is concerned"
                problem = "" if "WHERE" in statement and role == "coordinator" else \
                    "allowed, though no row was there"
            elif "make_partitions" in statement and (made := connection.execute(
                    "SELECT count(*) FROM pg_class WHERE relnamespace = 'tenure'::regnamespace AND "
                    "relkind = 'r'").fetchone()[0]) < 200:
                seen = f"bounded: there are {made} tables then"
            else:
                problem = f"allowed: {str(rows)[:100] if rows is not None else cursor.rowcount}"
        except psycopg.Error as error:
            seen = f"{error.sqlstate} {error.diag.message_primary}"
            if error.sqlstate != "42501" and not self.is_harmless(role, what, error):
                problem = seen
        finally:
            connection.rollback()
            connection.close()
        self.front.judge(f"{role}: {what}", problem, "42501, permission denied, or a bound", seen)

    @staticmethod
    def is_harmless(role, what, error):
        # A parameter out of its range, said so; a table that another release has no more.
        return error.sqlstate in ("TN003", "42P01", "42703", "42883", "22023", "0LP01", "2BP01")

    def allowed(self, role, statement):
        try:
            self.database.query(statement, user=f"attack_{role}")
            problem = ""
        except psycopg.Error as error:
            problem = f"{error.sqlstate} {error.diag.message_primary}"
        self.front.judge(f"{role}: {statement[:90]}", problem, "it is theirs")

    def hold(self, role, what, statement):
        """Takes locks, stays for a while; meanwhile others' enqueues, claims and ends go on."""
        with self.database.connect(f"attack_{role}", autocommit=False) as connection:
            try:
                connection.execute("SET LOCAL lock_timeout = '2s'")
                connection.execute(statement)
                held = True
            except psycopg.Error as error:
                held, seen = False, f"{error.sqlstate} {error.diag.message_primary}"
            problem = ""
            if held:
                problem = self.goes_on()
                seen = "held; others go on"
            connection.rollback()
        self.front.judge(f"{role} holds: {what}", problem, "refused, or nobody else waits", seen)

    def goes_on(self):
        try:
            with self.database.connect() as connection:
                connection.execute("SET statement_timeout = '5s'")
                jobs = [connection.execute(
                    "SELECT job_id::text FROM tenure.enqueue('demo-sleep', '{\"seconds\":0}', "
                    f"{more})").fetchone()[0] for more in
                    ("queue => 'default'", "key => 'done'", "lane => 'shared'")]
            return self.database.wait_for(jobs, 6, ("completed", "superseded"))
        except psycopg.Error as error:
            return f"an enqueue of somebody else: {error.sqlstate} {error.diag.message_primary}"


def advisory_locks(stand):
    """Whoever may log in can take any advisory lock: what the product takes, a stranger holds."""
    seen, is_over = set(), threading.Event()

    def look():
        with stand.database.connect() as connection:
            while not is_over.is_set():
                for row in connection.execute(
                        "SELECT classid::bigint, objid::bigint, objsubid FROM pg_locks WHERE "
                        "locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE "
                        "datname = current_database())").fetchall():
                    seen.add(row)
    looker = threading.Thread(target=look, daemon=True)
    looker.start()
    for words in (("migrate", "up"), ("roles", "--apply"), ("doctor",)):
        stand.database.tenure(*words)
    for _ in range(3):
        stand.goes_on()
    is_over.set()
    looker.join()
    with stand.database.connect("attack_stranger") as connection:
        for class_id, object_id, sub in seen:
            connection.execute("SET lock_timeout = '3s'")
            try:
                if sub == 1:
                    number = (class_id << 32) | object_id
                    number -= (1 << 64) if number >= 1 << 63 else 0
                    connection.execute("SELECT pg_advisory_lock(%s::bigint)", [number])
                else:
                    signed = [n - (1 << 32) if n >= 1 << 31 else n for n in (class_id, object_id)]
                    connection.execute("SELECT pg_advisory_lock(%s::int, %s::int)", signed)
            except psycopg.Error:
                pass  # somebody works with it just now
        problem = stand.goes_on()
        if not problem:
            result = stand.database.tenure("migrate", "status", seconds=10)
            problem = "" if result.code == 0 else f"tenure migrate status: {result}"
    stand.front.judge(f"stranger holds the {len(seen)} advisory locks that the product was seen to "
                      "take", problem, "the queue goes on")


def shadows(stand):
    """Callers whose search path leads through somebody's schema, or who have hiding tables."""
    database = stand.database
    database.query("CREATE SCHEMA evil; GRANT USAGE ON SCHEMA evil TO PUBLIC")
    database.query(SHADOWS.format(schema="evil"))
    for role in ("producer", "operator"):
        for what, before in {
                "a search path through another's schema": "SET search_path = evil, pg_catalog",
                "temporary tables of the same names":
                    "CREATE TEMP TABLE job (id uuid); CREATE TEMP TABLE subject (id uuid); "
                    "CREATE TEMP TABLE queue (name text); "
                    "SET search_path = pg_temp, pg_catalog"}.items():
            with database.connect(f"attack_{role}") as connection:
                problem = ""
                try:
                    connection.execute(before)
                    job = connection.execute(
                        "SELECT job_id::text FROM tenure.enqueue('demo-sleep'::text, "
                        "'{\"seconds\":0}'::jsonb, key => 'shadow'::text)").fetchone()[0]
                    problem = database.wait_for([job], 8)
                except psycopg.Error:
                    pass  # who was led astray hurts nobody but itself
                called = database.query("SELECT DISTINCT what, by FROM evil.called "
                                        "WHERE by <> login")
                database.query("TRUNCATE evil.called")
            stand.front.judge(f"{role}: {what}", problem or called and f"called {called}",
                              "the job ends, nothing of it is called by the owner")


def run(rig, front):
    stand = Stand(rig, front)
    for role in ROLES:
        mine = {**MATRIX[role], **NOBODY}
        if role == "coordinator":  # theirs, within bounds: see below
            mine.pop("history dropped at once")
        for what, statement in mine.items():
            stand.statement(role, what, statement)
        for statement in ALLOWED[role]:
            stand.allowed(role, statement)
        for what, statement in HOLDS.get(role, {}).items():
            stand.hold(role, what, statement)
        after = stand.picture()
        changed = [f"{name}: {was} became {after[name]}" for name, was in stand.before.items()
                   if after[name] != was]
        front.judge(f"{role}: what others have, afterwards", "; ".join(changed), "unchanged")
        stand.before = after
        front.judge(f"{role}: the queue afterwards", stand.worker.death or database_goes_on(stand),
                    "goes on")
    advisory_locks(stand)
    shadows(stand)
    for role, words in (("producer", ("job", "list")), ("reader", ("queue", "pause", "default")),
                        ("stranger", ("job", "list")), ("worker", ("schedule", "list"))):
        result = stand.database.tenure(*words, user=f"attack_{role}")
        fits = result.is_refusal and "42501" in result.errors
        front.judge(f"{role}: tenure {' '.join(words)}", "" if fits or role == "producer"
                    and result.code == 0 else str(result), "exit code 2, one line, the right that "
                    "is missing", result.errors)
    time.sleep(0.1)
    stand.worker.stop()


def database_goes_on(stand):
    return stand.database.canary(8) or stand.database.looks()
