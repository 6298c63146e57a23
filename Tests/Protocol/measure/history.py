"""Where finished jobs go, what it costs, and what making and dropping partitions stops."""

from lib import *

JOBS = 30_000


def running():
    """JOBS running jobs, in batches of 100."""
    sql("DROP TABLE IF EXISTS measure.batch; DROP SEQUENCE IF EXISTS measure.next")
    sql("TRUNCATE tenure.job, tenure.session, tenure.job_history")
    fill(JOBS)
    s = session()
    sql("SELECT count(*) FROM tenure.claim(%s, %s, %s, %s)", s, "q", ["k"], JOBS)
    sql("""CREATE TABLE measure.batch AS
           SELECT n, array_agg(id) AS ids, array_agg(fence) AS fences FROM (
               SELECT id, fence, (row_number() OVER (ORDER BY id) + 99) / 100 AS n
               FROM tenure.job) AS j
           GROUP BY n;
           CREATE SEQUENCE measure.next; CREATE INDEX ON measure.batch (n)""")
    sql("VACUUM ANALYZE tenure.job")
    sql("VACUUM ANALYZE measure.batch")
    sql("CHECKPOINT")


def unpartitioned():
    sql("""CREATE TABLE measure.plain (LIKE tenure.job_history INCLUDING DEFAULTS);
           DROP TABLE tenure.job_history CASCADE;
           CREATE TABLE tenure.job_history (LIKE measure.plain INCLUDING DEFAULTS);
           CREATE INDEX ON tenure.job_history (id)""")


figures = {
    n: ([], [])
    for n in (
        "DELETE alone",
        "complete_group, nothing kept",
        "complete_group, one table",
        "complete_group, partitions",
    )
}
for _ in range(RUNS):
    for name, (rate, bytes_) in figures.items():
        setup()
        if "one table" in name:
            unpartitioned()
        if "nothing" in name:
            sql("UPDATE tenure.queue SET keep_completed = false")
        running()
        before = wal()
        tps = pgbench(
            "finish_plain.sql" if name == "DELETE alone" else "finish.sql", 1, JOBS // 100
        )
        rate.append(tps * 100), bytes_.append((wal() - before) / JOBS)
        assert sql("SELECT count(*) FROM tenure.job")[0][0] == 0
print(
    f"Finishing {JOBS:,} jobs in batches of 100, one connection; "
    "the first write of each page after a checkpoint included"
)
base = figures["DELETE alone"][0]
table(
    ["", "jobs/s", "ratio", "WAL bytes a job"],
    [
        [n, spread(r), spread([a / b for a, b in zip(r, base)], 2), spread(b)]
        for n, (r, b) in figures.items()
    ],
)


def stall(title, act, holder=None, seconds=4):
    """The longest a finish took while `act` ran, and how long `act` took."""
    setup()
    running()
    until, took = threading.Event(), []

    def work():
        c = connect()
        cur = c.cursor()
        for n in range(1, JOBS // 100 + 1):
            if until.is_set():
                break
            t = time.monotonic()
            cur.execute(
                "SELECT count(*) FROM measure.batch b, tenure.complete_group(b.ids, b.fences) "
                "WHERE b.n = %s",
                (n,),
            )
            took.append((time.monotonic() - t) * 1000)
            time.sleep(0.005)
        c.close()

    open_ = connect(autocommit=False)
    if holder:
        open_.cursor().execute(holder)
    t = threading.Thread(target=work)
    t.start()
    time.sleep(0.5)
    acted = []

    def do():
        began = time.monotonic()
        try:
            sql(act)
            acted.append(f"{(time.monotonic() - began) * 1000:,.0f}")
        except psycopg2.Error as e:
            acted.append(e.pgcode)

    a = threading.Thread(target=do)
    a.start()
    time.sleep(seconds)
    open_.rollback()
    a.join()
    time.sleep(0.2)
    until.set()
    t.join()
    open_.close()
    return [title, acted[0], f"{percentile(took, .5):.1f}", f"{max(took):,.0f}"]


MAKE = "SELECT tenure.make_partitions('job_history_ended', 9)"
DROP = "SELECT tenure.drop_partitions('job_history_ended', '-3 days')"
FINISHED = """INSERT INTO tenure.job_history (
    id, run_at, created_at, outcome, attempt, max_attempts, runs,
    payload_version, priority, kind, queue, payload)
    VALUES (gen_random_uuid(), now(), now(), 'completed', 1, 1, 1, 1, 5, 'k', 'q', '{}')"""
READ = "SELECT count(*) FROM tenure.job_history WHERE id = gen_random_uuid()"
print(
    "Partitions made and dropped while another connection finishes jobs; "
    "an open transaction ends after 4 s"
)
table(
    [
        "beside an open transaction that has",
        "took, ms",
        "a finish, p50 ms",
        "the longest finish, ms",
    ],
    [
        stall("make: none", MAKE),
        stall("make: finished a job", MAKE, FINISHED),
        stall("make: read history", MAKE, READ),
        stall("drop: none", DROP),
        stall("drop: finished a job", DROP, FINISHED),
        stall("drop: read history", DROP, READ),
    ],
)
