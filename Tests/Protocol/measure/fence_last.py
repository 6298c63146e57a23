"""Throughput of claim + finish with a share of keyed jobs, beside the yardstick."""

from lib import *

setup()
JOBS, BATCH = 40_000, 100
for clients in (1, 4):
    figures = {name: [] for name in ("raw", 0, 10, 50)}
    for _ in range(RUNS):
        for name in figures:
            clear()
            fill(
                JOBS, "measure.raw" if name == "raw" else "tenure.job", 0 if name == "raw" else name
            )
            s = session()
            count = JOBS // BATCH // clients
            tps = pgbench(
                "raw.sql" if name == "raw" else "tenure.sql",
                clients,
                count,
                session=s,
                batch=BATCH,
                keyed=int(name not in ("raw", 0)),
            )
            figures[name].append(tps * BATCH)
            if name != "raw":
                left = sql("SELECT count(*) FROM tenure.job")[0][0]
                assert left <= clients * BATCH * 3, left
    print(f"{clients} connection(s), batches of {BATCH}, {JOBS:,} jobs")
    table(
        ["keyed", "jobs/s", "ratio to raw"],
        [
            [
                "raw" if n == "raw" else f"{n} %",
                spread(v),
                "1" if n == "raw" else spread([a / b for a, b in zip(v, figures["raw"])], 2),
            ]
            for n, v in figures.items()
        ],
    )
