"""Fence first or last: two connections, a commit and a producer that edits the same row.

The producer: edits the user's row, then supersedes the key the row is about.
The commit:   writes the user's row and ends the run; its fence is taken first or last.
"""

import sys
from lib import *

ROUNDS = int(os.environ.get("ROUNDS", "40"))
setup()
sql(
    "CREATE TABLE measure.page (id text PRIMARY KEY, title text); "
    "INSERT INTO measure.page VALUES ('a', '')"
)


def commit(first, ready, go, out):
    c = connect(autocommit=False)
    cur = c.cursor()
    try:
        job, fence = ready
        if first:
            cur.execute("SELECT tenure.hold_run(%s, %s)", (job, fence))
        else:
            cur.execute("SELECT 1 FROM tenure.job WHERE id = %s AND fence = %s", (job, fence))
        go.wait()
        cur.execute("UPDATE measure.page SET title = 'fetched' WHERE id = 'a'")
        time.sleep(0.02)
        cur.execute("SELECT * FROM tenure.finish(%s, %s)", (job, fence))
        c.commit()
        out["commit"] = "committed"
    except psycopg2.Error as e:
        out["commit"] = e.pgcode
    finally:
        c.close()


def produce(go, out):
    c = connect(autocommit=False)
    cur = c.cursor()
    try:
        cur.execute("SET deadlock_timeout = 100")
        go.wait()
        cur.execute("UPDATE measure.page SET title = 'edited' WHERE id = 'a'")
        time.sleep(0.02)
        cur.execute("SELECT * FROM tenure.enqueue('k', queue := 'q', key := 'a')")
        c.commit()
        out["produce"] = "committed"
    except psycopg2.Error as e:
        out["produce"] = e.pgcode
    finally:
        c.close()


rows = []
for first in (True, False):
    seen = {}
    for _ in range(ROUNDS):
        clear()
        s = session()
        sql("SELECT * FROM tenure.enqueue('k', queue := 'q', key := 'a')")
        run = sql("SELECT id::text, fence FROM tenure.claim(%s, 'q', '{k}', 1)", s)[0]
        go, out = threading.Barrier(2), {}
        ts = [
            threading.Thread(target=commit, args=(first, run, go, out)),
            threading.Thread(target=produce, args=(go, out)),
        ]
        [t.start() for t in ts]
        [t.join() for t in ts]
        key = (out["commit"], out["produce"])
        seen[key] = seen.get(key, 0) + 1
    for (a, b), n in sorted(seen.items()):
        rows.append(["first" if first else "last", a, b, f"{n} of {ROUNDS}"])
table(["fence", "commit", "producer", "rounds"], rows)
