"""Supersedes a second, on one key and on many, in thirds; and where the time goes."""

from lib import *

TOTAL = int(os.environ.get("TOTAL", "30000"))
setup()


def explain(title):
    c = connect()
    cur = c.cursor()
    print(title)
    rows = []
    for name, text in (
        ("subject by its key", "SELECT * FROM tenure.subject WHERE kind = 'k' AND key = 'key1'"),
        ("jobs by their key", "SELECT * FROM tenure.job WHERE kind = 'k' AND key = 'key1'"),
    ):
        cur.execute("SET enable_seqscan = off; SET enable_bitmapscan = off")
        for _ in range(2):
            cur.execute("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + text)
            plan = cur.fetchone()[0][0]
        p = plan["Plan"]
        rows.append(
            [
                name,
                p["Actual Rows"],
                p["Shared Hit Blocks"] + p["Shared Read Blocks"],
                f"{plan['Execution Time']:.2f}",
            ]
        )
    table(["read", "rows", "pages", "ms"], rows)
    c.close()


for keys in (1, 10_000):
    for clients in (1, 8):
        rows = []
        for snapshot in (False, True):
            thirds, ratios = [[], [], []], []
            total = TOTAL // 3 if keys == 1 and snapshot else TOTAL
            for run in range(RUNS):
                clear()
                sql("VACUUM ANALYZE tenure.job, tenure.subject")
                with OpenSnapshot(snapshot):
                    mine = [
                        pgbench("supersede.sql", clients, total // 3 // clients, keys=keys)
                        for _ in range(3)
                    ]
                    if snapshot and run == RUNS - 1 and clients == 1:
                        explain(
                            f"What one key costs to read after {total:,} supersedes "
                            f"of {keys:,} key(s), snapshot open"
                        )
                for into, one in zip(thirds, mine):
                    into.append(one)
                ratios.append(mine[2] / mine[0])
            rows.append(
                ["open" if snapshot else "none", f"{total:,}"]
                + [spread(t) for t in thirds]
                + [spread(ratios, 2)]
            )
        print(f"{keys:,} key(s), {clients} client(s): supersedes/s")
        table(["snapshot", "in all", "first third", "second", "last", "last / first"], rows)
