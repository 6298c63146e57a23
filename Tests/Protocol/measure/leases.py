"""A beat over 1,000 runs: on the session's row, or the jobs' rows; and beside open transactions."""

from lib import *

HELD, BEATS = 1000, 100
setup()


def prepare(index):
    clear()
    fill(HELD, keyed=50)
    s = session()
    sql("SELECT count(*) FROM tenure.claim(%s, 'q', '{k}', %s)", s, HELD)
    sql(f"""DROP TABLE IF EXISTS measure.held, measure.leased;
        CREATE TABLE measure.held AS SELECT array_agg(id ORDER BY id) AS ids,
            array_agg(fence ORDER BY id) AS fences, max(fence) + 1 AS last FROM tenure.job;
        CREATE TABLE measure.leased (LIKE tenure.job INCLUDING ALL) WITH (fillfactor = 50);
        ALTER TABLE measure.leased ADD lease_until timestamptz DEFAULT clock_timestamp();
        INSERT INTO measure.leased SELECT * FROM tenure.job;
        {'CREATE INDEX ON measure.leased (lease_until);' if index else ''}""")
    sql("VACUUM ANALYZE measure.leased")
    return s


def beats(script, s):
    before = wal()
    tps = pgbench(script, 1, BEATS, session=s)
    return 1000 / tps, (wal() - before) / BEATS


rows = []
for name, script, index in (
    ("session row", "beat.sql", False),
    ("job rows", "beat_jobs.sql", False),
    ("job rows, indexed", "beat_jobs.sql", True),
):
    times, bytes_ = [], []
    for _ in range(RUNS):
        s = prepare(index)
        sql("CHECKPOINT")
        beats(script, s)  # full page images are the checkpoint's, not the beat's
        t, b = beats(script, s)
        times.append(t), bytes_.append(b)
    rows.append([name, spread(times, 2), spread(bytes_)])
print(f"A beat over {HELD:,} runs, half of them keyed")
table(["lease on", "ms", "WAL bytes"], rows)


def latencies(statement, args, until):
    c, out = connect(), []
    cur = c.cursor()
    cur.execute("SET statement_timeout = '15s'")
    while not until.is_set():
        t = time.monotonic()
        try:
            cur.execute(statement, args)
            cur.fetchall() if cur.description else None
        except psycopg2.Error:
            pass
        out.append((time.monotonic() - t) * 1000)
        until.wait(0.05)
    c.close()
    return out


BEAT = """SELECT * FROM tenure.beat(%s, (SELECT ids FROM measure.held),
                                   (SELECT fences FROM measure.held),
                                   (SELECT last FROM measure.held), NULL)"""
JOBS = """UPDATE tenure.job SET claimed_at = clock_timestamp() WHERE session_id = %s"""
HOLD = float(os.environ.get("HOLD", "20"))
rows = []
for name, statement in (("session row", BEAT), ("job rows", JOBS)):
    for what in (
        "nothing",
        "a supersede, open",
        "a supersede, open, and a commit that waits for it",
        "a run held by hold_run, open",
    ):
        s = prepare(False)
        job, fence, key = sql(
            "SELECT id::text, fence, key FROM tenure.job WHERE key IS NOT NULL LIMIT 1"
        )[0]
        holder, waiter = connect(autocommit=False), connect(autocommit=False)
        until, thread = threading.Event(), None
        if "supersede" in what:
            holder.cursor().execute(
                "SELECT * FROM tenure.enqueue('k', queue := 'q', key := %s)", (key,)
            )
        elif "hold" in what:
            holder.cursor().execute("SELECT tenure.hold_run(%s, %s)", (job, fence))
        if "commit" in what:

            def late():
                cur = waiter.cursor()
                try:
                    if name == "job rows":  # the order that goes with it: the job first
                        cur.execute(
                            "SELECT FROM tenure.job WHERE id = %s AND fence = %s FOR UPDATE",
                            (job, fence),
                        )
                    cur.execute("SELECT * FROM tenure.finish(%s, %s)", (job, fence))
                except psycopg2.Error:
                    pass
                waiter.rollback()

            thread = threading.Thread(target=late)
            thread.start()
            time.sleep(0.2)
        timer = threading.Timer(HOLD if what != "nothing" else 5, until.set)
        timer.start()
        out = latencies(statement, (s,), until)
        holder.rollback()
        thread and thread.join()
        holder.close(), waiter.close()
        rows.append(
            [
                name,
                what,
                len(out),
                f"{percentile(out, .5):.1f}",
                f"{percentile(out, .99):.1f}",
                f"{max(out):,.1f}",
            ]
        )
print(
    f"Beats beside a transaction that stays open for {HOLD:.0f} s (a beat is given up after 15 s)"
)
table(["lease on", "beside", "beats", "p50 ms", "p99 ms", "max ms"], rows)
