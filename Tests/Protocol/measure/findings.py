"""What a reader of the statements suspected, tried: each line says what happened."""

from lib import *


def say(name, *what):
    print(f"- {name}: " + " ".join(str(w) for w in what), flush=True)


def schedules():
    setup()
    sql("""INSERT INTO tenure.schedule (name, every, next_at, job)
           VALUES ('hourly', '1 hour', now() - interval '3.5 hours',
                   '{"kind": "k", "queue": "q"}')""")
    fired = [len(sql("SELECT * FROM tenure.fire_schedules(10)")) for _ in range(4)]
    say(
        "a schedule that was away for 3.5 ticks, fired by four calls at once after each other",
        fired,
    )


def schedule_order():
    setup()
    sql("""INSERT INTO tenure.schedule (name, every, next_at, job) VALUES
           ('a', '1 ms', now(), '{"kind": "k", "queue": "q", "key": "z"}'),
           ('b', '1 ms', now(), '{"kind": "k", "queue": "q", "key": "a"}')""")
    end, seen = time.monotonic() + 6, {}

    def go(statement):
        c = connect()
        cur = c.cursor()
        cur.execute("SET deadlock_timeout = '50ms'")
        while time.monotonic() < end:
            try:
                cur.execute(statement)
            except psycopg2.Error as e:
                seen[e.pgcode] = seen.get(e.pgcode, 0) + 1
        c.close()

    ts = [
        threading.Thread(target=go, args=(x,))
        for x in (
            "SELECT * FROM tenure.fire_schedules(10)",
            """SELECT * FROM tenure.enqueue_jobs('[{"kind":"k","queue":"q","key":"a"},
                                                   {"kind":"k","queue":"q","key":"z"}]')""",
        )
    ]
    [t.start() for t in ts]
    [t.join() for t in ts]
    say("two schedules in one call beside a bulk enqueue of their keys, errors in 6 s", seen)


def late_partitions():
    setup()
    day = sql("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')")[0][0]
    sql(f"DROP TABLE tenure.job_history_ended_{day}")
    sql("SELECT * FROM tenure.enqueue('k', queue := 'q')")
    s = session()
    sql(
        "SELECT count(*) FROM (SELECT tenure.complete_group(ARRAY[c.id], ARRAY[c.fence]) "
        "FROM tenure.claim(%s, 'q', '{k}', 1) c) x",
        s,
    )
    try:
        sql("SELECT tenure.make_partitions('job_history_ended', 9)")
        say("partitions made after a job went to the default one", "made")
    except psycopg2.Error as e:
        say("partitions made after a job went to the default one", e.pgcode, str(e).splitlines()[0])
    say(
        "partitions of the days after the one that failed",
        sql(
            "SELECT count(*) FROM pg_inherits "
            "WHERE inhparent = 'tenure.job_history_ended'::regclass"
        )[0][0]
        - 1,
        "of 10",
    )


def reclaim():
    setup()
    sql("""SELECT count(*) FROM tenure.enqueue_jobs((
               SELECT jsonb_agg(jsonb_build_object('kind', 'k', 'queue', 'q',
                   'key', CASE WHEN n <= 20 THEN 'key' || n END, 'id', lpad(n::text, 32, '0')))
               FROM generate_series(1, 40) n))""")
    s = session()
    sql("SELECT count(*) FROM tenure.claim(%s, 'q', '{k}', 40)", s)
    sql("SELECT tenure.close_session(%s)", s)
    user = connect(autocommit=False)
    user.cursor().execute("""SELECT count(*) FROM tenure.enqueue_jobs((SELECT jsonb_agg(
               jsonb_build_object('kind', 'k', 'queue', 'q', 'key', 'key' || n))
           FROM generate_series(1, 20) n))""")
    back = [len(sql("SELECT * FROM tenure.reclaim_runs(20)")) for _ in range(3)]
    user.rollback()
    say(
        "40 jobs of a dead session, 20 of them with keys that an open transaction holds; "
        "three rounds of reclaim_runs(20) gave back",
        back,
    )


def stale_plan():
    setup()
    sql("VACUUM ANALYZE tenure.job")
    sql("VACUUM ANALYZE tenure.subject")
    c = connect()
    cur = c.cursor()
    one = "SELECT * FROM tenure.enqueue('k', queue := 'q', key := %s)"
    sql(
        "ALTER TABLE tenure.job SET (autovacuum_enabled = false); "
        "ALTER TABLE tenure.subject SET (autovacuum_enabled = false)"
    )

    def cost():
        out = []
        for n in range(12):
            t = time.monotonic()
            cur.execute(one, ("key%d" % n,))
            out.append((time.monotonic() - t) * 1000)
        return f"{statistics.median(out):.1f} ms"

    before = cost()
    sql(
        ROW.format(
            table="tenure.job",
            jobs=200_000,
            base=0,
            priority="5",
            kind="'k'",
            lane="NULL",
            key="NULL",
            generation="NULL",
        )
    )
    say(
        "a keyed enqueue on a connection that knew the table empty:",
        before,
        "; with 200,000 jobs more and no ANALYZE yet:",
        cost(),
    )
    c.close()
    c2 = connect()
    cur = c2.cursor()
    out = []
    for n in range(12):
        t = time.monotonic()
        cur.execute(one, ("other%d" % n,))
        out.append((time.monotonic() - t) * 1000)
    say("the same on a new connection", f"{statistics.median(out):.1f} ms")


def unknown():
    setup()
    rows = []
    for n in (1000, 3000):
        clear()
        fill(n)
        s = session()
        sql("SELECT count(*) FROM tenure.claim(%s, 'q', '{k}', %s)", s, n)
        c = connect()
        cur, cpu = c.cursor(), Cpu(c)
        cur.execute(
            "SELECT array_agg(id)::text, array_agg(fence)::text, max(fence) FROM tenure.job"
        )
        ids, fences, last = cur.fetchone()
        for since in (0, last):
            out = []
            for _ in range(15):
                t = cpu.now()
                cur.execute(
                    "SELECT count(*) FROM tenure.beat(%s, %s, %s, %s, NULL)",
                    (s, ids, fences, since),
                )
                out.append(cpu.now() - t)
            rows.append(
                [n, "all of them" if since == 0 else "one", f"{statistics.median(out[8:]):.1f}"]
            )
        c.close()
    table(["running jobs", "claimed since the last beat", "beat, CPU ms"], rows)


for check in (schedules, schedule_order, late_partitions, reclaim, stale_plan, unknown):
    check()
