"""What an administrator may set for a role or for the whole database: workers and commands do their
work all the same, or refuse at the start with one line that names the setting."""
import concurrent.futures

import psycopg

from hostile import Hostile, page
from rig import wait_until

AT_A_TIME = 3
# setting: values. Each is set for a role of its own, by ALTER ROLE … SET.
SETTINGS = {
    "default_transaction_isolation": ("repeatable read", "serializable", "read uncommitted"),
    "default_transaction_read_only": ("on",), "default_transaction_deferrable": ("on",),
    "statement_timeout": ("50ms", "1ms"), "lock_timeout": ("1ms", "50ms"),
    "idle_in_transaction_session_timeout": ("1ms", "50ms"), "idle_session_timeout": ("50ms",),
    "synchronous_commit": ("off", "local", "remote_apply"),
    "search_path": ("", "evil", "evil, pg_catalog"),
    "DateStyle": ("German, DMY", "SQL, MDY", "Postgres, YMD"),
    "IntervalStyle": ("iso_8601", "sql_standard", "postgres_verbose"),
    "TimeZone": ("Pacific/Kiritimati", "Asia/Kathmandu", "<+14>-14"),
    "bytea_output": ("escape",), "extra_float_digits": ("-15", "3"), "row_security": ("off",),
    "standard_conforming_strings": ("off",), "backslash_quote": ("on",),
    "escape_string_warning": ("off",), "array_nulls": ("off",), "quote_all_identifiers": ("on",),
    "transform_null_equals": ("on",), "xmlbinary": ("hex",), "lc_messages": ("C",),
    "enable_indexscan": ("off",), "enable_seqscan": ("off",), "enable_hashjoin": ("off",),
    "enable_nestloop": ("off",), "enable_sort": ("off",), "enable_partition_pruning": ("off",),
    "plan_cache_mode": ("force_generic_plan", "force_custom_plan"),
    "jit": ("on",), "jit_above_cost": ("0",), "work_mem": ("64kB",), "temp_buffers": ("100",),
    "client_min_messages": ("debug5", "error"), "log_min_messages": ("panic",),
    "log_statement": ("all",), "session_replication_role": ("replica",),
    "application_name": ("\x1b[31m",), "client_encoding": ("SQL_ASCII", "LATIN1"),
    "check_function_bodies": ("off",), "commit_delay": ("1000",), "zero_damaged_pages": ("on",),
    "max_parallel_workers_per_gather": ("0",), "default_statistics_target": ("1",),
    "plpgsql.variable_conflict": ("use_column", "use_variable", "error"),
    "plpgsql.check_asserts": ("off",), "plpgsql.extra_errors": ("all",),
    "default_toast_compression": ("lz4",), "default_table_access_method": ("heap",),
    "default_tablespace": ("",), "tcp_user_timeout": ("1",), "gin_fuzzy_search_limit": ("1",),
    "vacuum_cost_delay": ("100",), "role": ("attack_nobody",), "recovery_target": None}
SETTINGS.pop("recovery_target")  # of a server only
# In the short form, these and some others.
KNOWN = ("default_transaction_isolation", "default_transaction_read_only", "statement_timeout",
         "idle_in_transaction_session_timeout", "synchronous_commit", "search_path", "DateStyle",
         "IntervalStyle", "client_min_messages", "standard_conforming_strings", "lock_timeout",
         "client_encoding", "bytea_output", "plpgsql.variable_conflict", "role")
# A schema in front of the system's own, whose things must not be called.
EVIL = """
CREATE SCHEMA evil; CREATE TABLE evil.called (what text, by text, login text);
GRANT ALL ON SCHEMA evil TO PUBLIC; GRANT ALL ON evil.called TO PUBLIC;
CREATE FUNCTION evil.now() RETURNS timestamptz LANGUAGE sql AS $$
    INSERT INTO evil.called VALUES ('now', current_user, session_user);
    SELECT pg_catalog.now() $$;
CREATE FUNCTION evil.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$
    INSERT INTO evil.called VALUES ('clock_timestamp', current_user, session_user);
    SELECT pg_catalog.clock_timestamp() $$;
CREATE FUNCTION evil.set_config(text, text, boolean) RETURNS text LANGUAGE sql AS $$
    INSERT INTO evil.called VALUES ('set_config', current_user, session_user);
    SELECT pg_catalog.set_config($1, $2, $3) $$;
CREATE FUNCTION evil.unequal(text, text) RETURNS boolean LANGUAGE sql AS $$
    INSERT INTO evil.called VALUES ('=', current_user, session_user);
    SELECT false $$;
CREATE OPERATOR evil.= (LEFTARG = text, RIGHTARG = text, FUNCTION = evil.unequal);
CREATE TABLE evil.job (id uuid); CREATE TABLE evil.item (id uuid);
CREATE TABLE evil.queue (id uuid);
GRANT ALL ON ALL TABLES IN SCHEMA evil TO PUBLIC;
"""
ENDED = ("completed", "discarded", "superseded")


def is_refusal(result_or_log, name):
    lines = [line for line in result_or_log.splitlines() if line.startswith("tenure:")]
    return len(lines) == 1 and name.split(".")[-1].lower() in lines[0].lower()


def trouble(result, name, codes=(0,)):
    """What is wrong with a command's answer: it did its work, or a timeout stopped it, and it told
    in one line which. One of 50 ms stops a statement on a busy machine and none on an idle one."""
    did = result.code in codes and result.out
    told = (name.endswith("_timeout") and result.is_refusal
            and name.lower() in result.errors.lower())
    return "" if did or told else str(result)


def under(database, name, value, number, url, where="role"):
    """What is wrong with a worker and commands under a setting, and what was seen."""
    user, queue = f"set_{database.name}_{number}", f"q{number}"
    database.query(f"CREATE ROLE {user} LOGIN IN ROLE tenure_worker, tenure_operator")
    quoted = value.replace("'", "''")
    literal = value if name in ("search_path", "DateStyle") and value else f"'{quoted}'"
    try:
        target = f"ROLE {user}" if where == "role" else f"DATABASE {database.name}"
        database.query(f"ALTER {target} SET {name} = {literal}")
    except psycopg.Error as error:
        return None, f"the server doesn't take it: {error.diag.message_primary}"
    problems = []
    first = database.tenure("enqueue", "demo-sleep", "--payload", '{"seconds":0.2}', "--queue",
                            queue, user=user)
    worker = database.worker("--queue", f"{queue}:4", user=user, listens=True)
    if not worker.lives and is_refusal(worker.log.decode(), name):
        return "", worker.log.decode().splitlines()[-1]
    if not worker.lives:
        return worker.death, ""
    if trouble(first, name):
        problems.append(f"tenure enqueue: {first}")
    jobs = {}
    for what, kind, payload, more in (
            ("a key", "demo-sleep", '{"seconds":0}', ("--key", f"{user} a")),
            ("the key again", "demo-sleep", '{"seconds":0}', ("--key", f"{user} a")),
            ("one of 300 ms", "demo-sleep", '{"seconds":0.3}',
             ("--key", f"{user} b", "--no-overlap")),
            ("a failure", "demo-fail", '{"message":"no"}', ("--max-attempts", "1")),
            ("later", "demo-sleep", '{"seconds":0}', ("--after", "1s")),
            ("a fetch", "content-fetch", f'{{"url":"{url}/{number}","mode":"article"}}',
             ("--max-attempts", "2"))):
        result = database.tenure("enqueue", kind, "--payload", payload, "--queue", queue, *more,
                                 user=user)
        if result.code == 0:
            jobs[result.text.split()[1]] = what
        elif trouble(result, name):
            problems.append(f"tenure enqueue, {what}: {result}")
            break
    wrong = database.wait_for(jobs, 12, ENDED)
    if wrong:
        problems.append("; ".join(f"{jobs.get(part.split()[0], part)}: {part}"
                                  for part in wrong.split("; ")))
    for words in (("job", "list", "--finished"), ("doctor",), ("queue", "show", queue), ("stats",)):
        result = database.tenure(*words, user=user)
        if trouble(result, name, (0, 1, 2) if words == ("doctor",) else (0, 1)):
            problems.append(f"tenure {' '.join(words)}: {result}")
    if worker.death:
        problems.append(worker.death)
    elif worker.stop(12) != 0:
        problems.append(f"the worker's end: {worker.log[-200:]}")
    # By the caller itself it may be, who was led there; never by the owner's functions.
    called = database.query("SELECT DISTINCT what, by FROM evil.called WHERE by <> login")
    if called:
        problems.append(f"called {called} of the schema evil, as somebody else")
        database.query("TRUNCATE evil.called")
    return "; ".join(problems), "it works"


def run(rig, front):
    hostile = Hostile()
    url = hostile.add(lambda request, connection: page(b"<title>ok</title><p>well"))
    database = rig.database("settings")
    database.environment["TENURE_CONTENT_ALLOW"] = "127.0.0.0/8"
    database.query(EVIL)
    database.query("CREATE ROLE attack_nobody")
    database.tenure("host", "set", url.split("/")[2].split(":")[0], "--own")
    cases = [(name, value, where) for name, values in SETTINGS.items() for value in values
             for where in ("role",)]
    if not rig.is_long:
        cases = [case for case in cases if case[0] in KNOWN and case[1] not in (
            "1ms", "local", "remote_apply", "SQL, MDY", "use_column", "sql_standard", "LATIN1")]

    def one(number):
        name, value, where = cases[number]
        problem, seen = under(database, name, value, number, url, where)
        if problem is None:
            front.note(f"{name} = {value}: {seen}")
        else:
            front.judge(f"ALTER ROLE … SET {name} = {value!r}", problem,
                        f"it works, or one line at the start that names {name}", seen)
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as threads:
        list(threads.map(one, range(len(cases))))
    for name, value in (("default_transaction_isolation", "serializable"),
                        ("DateStyle", "German, DMY")):
        other = rig.database(f"settings_{name}".lower())
        other.environment.update(database.environment)
        other.query(EVIL)
        problem, seen = under(other, name, value, 900, url, "database")
        front.judge(f"ALTER DATABASE … SET {name} = {value!r}", problem,
                    f"it works, or one line at the start that names {name}", seen)
    hostile.close()
    wait_until(lambda: True, 0)
