"""A burst after a quiet time: what statements cost while the statistics still say `empty`.

200,000 jobs came and went, one stays at the end of the table (no page can be given back), VACUUM
ANALYZE saw one row in thousands of pages; then 200,000 jobs come into the free space.
"""

from lib import *

JOBS = 200_000


def measure(stale):
    setup()
    sql(
        "ALTER TABLE tenure.job SET (autovacuum_enabled = false); "
        "ALTER TABLE tenure.subject SET (autovacuum_enabled = false)"
    )
    fill(JOBS)
    sql(
        ROW.format(
            table="tenure.job",
            jobs=1,
            base=JOBS + 1,
            priority="5",
            kind="'later'",
            lane="NULL",
            key="NULL",
            generation="NULL",
        )
    )
    sql("DELETE FROM tenure.job WHERE kind = 'k'")
    sql("VACUUM ANALYZE tenure.job")
    sql("VACUUM ANALYZE tenure.subject")
    c = connect()
    cur, cpu, out = c.cursor(), Cpu(c), {}
    sql(
        ROW.format(
            table="tenure.job",
            jobs=JOBS,
            base=0,
            priority="5",
            kind="'k'",
            lane="NULL",
            key="CASE WHEN n % 100 < 50 THEN 'key' || n END",
            generation="CASE WHEN n % 100 < 50 THEN nextval('tenure.generation') END",
        )
    )
    sql(
        "INSERT INTO tenure.subject (kind, key, issued) "
        "SELECT kind, key, generation FROM tenure.job WHERE key IS NOT NULL"
    )
    if not stale:
        sql("ANALYZE tenure.job"), sql("ANALYZE tenure.subject")
    s = session()

    def clock(name, statement, args):
        t = cpu.now()
        cur.execute(statement, args)
        rows = cur.fetchall()
        out.setdefault(name, []).append(cpu.now() - t)
        return rows

    for n in range(10):
        got = clock(
            "claim 100", "SELECT id::text, fence, key FROM tenure.claim(%s, 'q', '{k}', 100)", (s,)
        )
        plain, keyed = [g for g in got if not g[2]], [g for g in got if g[2]]
        both = lambda x: ([g[0] for g in x], [g[1] for g in x])
        clock(
            "beat over 100",
            "SELECT * FROM tenure.beat(%s, %s::uuid[], %s, 0, NULL)",
            (s, *both(got)),
        )
        clock("complete_group 50", "SELECT tenure.complete_group(%s::uuid[], %s)", both(plain))
        clock(
            "end_runs 50 keyed",
            """SELECT * FROM tenure.end_runs((SELECT jsonb_agg(jsonb_build_object(
              'id', i, 'fence', f, 'wanted', 'completed'))
              FROM unnest(%s::uuid[], %s::bigint[]) m (i, f)), false)""",
            both(keyed),
        )
        clock(
            "enqueue, superseding",
            "SELECT * FROM tenure.enqueue('k', queue := 'q', key := %s)",
            (f"new{n}",),
        )
        clock(
            "enqueue, coalescing",
            "SELECT * FROM tenure.enqueue('k', queue := 'q', key := %s, mode := 'coalescing')",
            (f"old{n}",),
        )
        clock("enqueue, unkeyed", "SELECT * FROM tenure.enqueue('k', queue := 'q')", ())
    c.close()
    return {name: statistics.median(v[2:]) for name, v in out.items()}


fresh, stale = [measure(False) for _ in range(RUNS)], [measure(True) for _ in range(RUNS)]
table(
    ["statement", "statistics fresh, CPU ms", "statistics of the empty table, CPU ms"],
    [[n, spread([f[n] for f in fresh], 2), spread([f[n] for f in stale], 2)] for n in fresh[0]],
)
