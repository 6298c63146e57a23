"""What the measurements share: a database, rows to work on, pgbench, medians."""

import os, pathlib, re, statistics, subprocess, threading, time
import psycopg2

HERE = pathlib.Path(__file__).parent
MIGRATIONS = HERE.parents[2] / "migrations"
RUNS = int(os.environ.get("RUNS", "3"))


def connect(autocommit=True):
    c = psycopg2.connect("")
    c.autocommit = autocommit
    return c


def sql(text, *args):
    """Runs statements; returns the last one's rows."""
    c = connect()
    try:
        cur = c.cursor()
        cur.execute(text, args or None)
        return cur.fetchall() if cur.description else None
    finally:
        c.close()


def functions():
    """Their files, in the order that order.txt gives."""
    home, found = MIGRATIONS / "functions", []
    for line in (home / "order.txt").read_text().splitlines():
        entry = line.split("#")[0].strip()
        if entry.endswith(".sql"):
            found.append(home / entry)
        elif entry:
            found += sorted((home / entry).glob("*.sql"))
    return found


def setup():
    """The schema as the migrations make it, empty."""
    sql(
        "DROP SCHEMA IF EXISTS tenure CASCADE; DROP SCHEMA IF EXISTS measure CASCADE;"
        "CREATE SCHEMA tenure; CREATE SCHEMA measure"
    )
    for f in sorted(MIGRATIONS.glob("*.sql")) + functions():
        sql(f.read_text())
    sql("INSERT INTO tenure.queue (name) VALUES ('q')")
    # The yardstick: a plain table of the same columns with an id and a claim index, nothing else.
    sql("""CREATE TABLE measure.raw (LIKE tenure.job INCLUDING DEFAULTS INCLUDING STORAGE);
           ALTER TABLE measure.raw ADD PRIMARY KEY (id);
           ALTER TABLE measure.raw SET (autovacuum_vacuum_scale_factor = 0.01,
               autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
           CREATE INDEX ON measure.raw (queue, priority, run_at, id)
               WHERE state IN ('scheduled', 'available', 'retryable')""")


def clear():
    sql(
        "TRUNCATE tenure.job, tenure.subject, tenure.lane, tenure.lane_holders, "
        "tenure.queue_holders, tenure.session, tenure.job_history, tenure.attempt_error, "
        "measure.raw"
    )


ROW = """INSERT INTO {table} (
        id, run_at, state, priority, kind, queue, key, generation, lane, payload)
    SELECT (lpad(to_hex(extract(epoch FROM clock_timestamp())::bigint), 12, '0')
            || lpad(to_hex({base} + n), 8, '0') || substr(md5(n::text), 1, 12))::uuid,
           clock_timestamp() - interval '1 hour' + n * interval '1 microsecond',
           'available', {priority}, {kind}, 'q', {key}, {generation}, {lane},
           '{{"url": "https://example.org/some/path", "depth": 1}}'
    FROM generate_series(1, {jobs}) AS n"""


def fill(jobs, table="tenure.job", keyed=0, priority="5", kind="'k'", lane="NULL", base=0):
    """Makes available jobs; `keyed` in a hundred of them have a key each."""
    has_key = f"n % 100 < {keyed}"
    sql(
        ROW.format(
            table=table,
            jobs=jobs,
            base=base,
            priority=priority,
            kind=kind,
            lane=lane,
            key=f"CASE WHEN {has_key} THEN 'key' || n END",
            generation=f"CASE WHEN {has_key} THEN nextval('tenure.generation') END",
        )
    )
    if keyed:
        sql(
            "INSERT INTO tenure.subject (kind, key, issued) SELECT kind, key, generation "
            "FROM tenure.job WHERE key IS NOT NULL"
        )
        sql("VACUUM ANALYZE tenure.subject")
    sql(f"VACUUM ANALYZE {table}")


def lanes(number, most=2):
    """Makes lanes that all stand in line."""
    sql(
        "INSERT INTO tenure.lane (queue, name, max_running) "
        f"SELECT 'q', 'host' || n, {most} FROM generate_series(0, {number - 1}) AS n;"
        "INSERT INTO tenure.lane_holders (queue, lane, n, turn_at) "
        "SELECT l.queue, l.name, 0, clock_timestamp() FROM tenure.lane l"
    )
    sql("VACUUM ANALYZE tenure.lane, tenure.lane_holders")


def session():
    return sql("SELECT tenure.open_session('worker', 'measure', '1', '1 hour', '{q}', '{k}')")[0][0]


def pgbench(script, clients=1, transactions=None, seconds=None, log=None, **variables):
    """Transactions a second, without the time to connect."""
    command = [
        "pgbench",
        "-n",
        "-M",
        "prepared",
        "-f",
        str(HERE / "sql" / script),
        "-c",
        str(clients),
        "-j",
        str(clients),
    ]
    command += ["-t", str(transactions)] if transactions else ["-T", str(seconds)]
    for name, value in variables.items():
        command += ["-D", f"{name}={value}"]
    if log:
        command += ["-l", f"--log-prefix={log}"]
    out = subprocess.run(command, capture_output=True, text=True)
    if out.returncode:
        raise SystemExit(out.stderr[-2000:])
    return float(re.search(r"tps = ([\d.]+)", out.stdout).group(1))


def wal():
    return int(sql("SELECT pg_current_wal_insert_lsn() - '0/0'")[0][0])


def spread(values, digits=0):
    """median (min to max)"""
    form = f"{{:,.{digits}f}}"
    return (
        form.format(statistics.median(values))
        + " ("
        + form.format(min(values))
        + "–"
        + form.format(max(values))
        + ")"
    )


def percentile(values, p):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * p))]


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(str(c) for c in row) + " |")
    print(flush=True)


class OpenSnapshot:
    """An idle transaction in REPEATABLE READ: nothing that dies after it is cleaned up."""

    def __init__(self, wanted=True):
        self.connection = connect(autocommit=False) if wanted else None

    def __enter__(self):
        if self.connection:
            self.connection.set_session(isolation_level="REPEATABLE READ")
            self.connection.cursor().execute("SELECT count(*) FROM tenure.queue")

    def __exit__(self, *_):
        if self.connection:
            self.connection.close()


class Cpu:
    """What a backend itself has used, in ms: on a busy machine the wall clock says little.
    Needs a server on this machine (Linux); elsewhere it is the wall clock."""

    def __init__(self, connection):
        self.path = pathlib.Path(f"/proc/{connection.info.backend_pid}/schedstat")

    def now(self):
        try:
            return int(self.path.read_text().split()[0]) / 1e6
        except OSError:
            return time.monotonic() * 1000
