"""How much of an enqueue, a claim and an end is planning: the same with generic plans."""

from lib import *

AUTO, GENERIC = "auto", "force_generic_plan"
setup()


def jobs(n, mode, keyed=True):
    subject = f", 'mode', '{mode}', 'key', 'key' || n" if keyed else ""
    return f"""SELECT count(*) FROM tenure.enqueue_jobs((
        SELECT jsonb_agg(jsonb_build_object('kind', 'k', 'queue', 'q' {subject}))
        FROM generate_series(1, {n}) n))"""


ONLY = os.environ.get("ONLY")
CASES = [
    (
        f"enqueue, {n} {mode}",
        jobs(n, mode, mode != "unkeyed"),
        300 if n == 1 else 60 if n < 1000 else 8,
    )
    for n in (1, 10, 100, 1000)
    for mode in ("unkeyed", "superseding", "coalescing")
]
rows = []
for name, statement, times in CASES:
    figures = {AUTO: [], GENERIC: []}
    for _ in range(RUNS):
        for mode in figures:
            clear()
            c = connect(autocommit=False)
            cur = c.cursor()
            cur.execute(
                f"SET plan_cache_mode = {mode}; SET enable_seqscan = off; "
                "SET enable_bitmapscan = off"
            )
            out, cpu = [], Cpu(c)
            for _ in range(times + 8):
                t = cpu.now()
                cur.execute(statement)
                c.commit()
                out.append(cpu.now() - t)
            figures[mode].append(statistics.median(out[8:]))
            c.close()
    rows.append(
        [
            name,
            spread(figures[AUTO], 2),
            spread(figures[GENERIC], 2),
            spread([g / a for a, g in zip(figures[AUTO], figures[GENERIC])], 2),
        ]
    )
table(["statement", "plans chosen by PostgreSQL, CPU ms", "generic, ms", "ratio"], rows)

rows = []
for batch in (1, 10, 100, 500):
    for keyed in (0, 100):
        figures = {(m, w): [] for m in (AUTO, GENERIC) for w in ("claim", "end")}
        for _ in range(RUNS):
            for mode in (AUTO, GENERIC):
                clear()
                fill(batch * 40, keyed=keyed)
                s, c = session(), connect(autocommit=False)
                cur, claim, end, cpu = c.cursor(), [], [], Cpu(c)
                cur.execute(f"SET plan_cache_mode = {mode}")
                for _ in range(40):
                    t = cpu.now()
                    cur.execute(
                        "SELECT id::text, fence FROM tenure.claim(%s, 'q', '{k}', %s)", (s, batch)
                    )
                    got = cur.fetchall()
                    c.commit()
                    claim.append(cpu.now() - t)
                    t = cpu.now()
                    if keyed:
                        cur.execute(
                            """SELECT * FROM tenure.end_runs((SELECT jsonb_agg(jsonb_build_object(
                            'id', i, 'fence', f, 'wanted', 'completed'))
                            FROM unnest(%s::uuid[], %s::bigint[]) m (i, f)), false)""",
                            ([g[0] for g in got], [g[1] for g in got]),
                        )
                    else:
                        cur.execute(
                            "SELECT tenure.complete_group(%s::uuid[], %s)",
                            ([g[0] for g in got], [g[1] for g in got]),
                        )
                    cur.fetchall()
                    c.commit()
                    end.append(cpu.now() - t)
                figures[mode, "claim"].append(statistics.median(claim[8:]))
                figures[mode, "end"].append(statistics.median(end[8:]))
                c.close()
        for what in ("claim", "end"):
            a, g = figures[AUTO, what], figures[GENERIC, what]
            verb = "end_runs" if keyed else "complete_group"
            rows.append(
                [
                    f"{verb if what == 'end' else 'claim'}, {batch}" + (" keyed" if keyed else ""),
                    spread(a, 2),
                    spread(g, 2),
                    spread([y / x for x, y in zip(a, g)], 2),
                ]
            )
table(["statement", "plans chosen by PostgreSQL, CPU ms", "generic, ms", "ratio"], rows)
