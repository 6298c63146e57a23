"""Lanes with a limit against no lanes; and what idle lanes cost."""

from lib import *

LANES, EACH, BATCH = 1000, 20, 100
setup()


class Sampler(threading.Thread):
    """Looks on another connection whether a lane ever has more than its limit."""

    def __init__(self):
        super().__init__()
        self.until, self.samples, self.most, self.over = threading.Event(), 0, 0, 0

    def run(self):
        c = connect()
        cur = c.cursor()
        while not self.until.is_set():
            cur.execute("""SELECT coalesce(max(n), 0), count(*) FILTER (WHERE n > 2) FROM (
                SELECT count(*) AS n FROM tenure.job
                WHERE state = 'running' AND lane IS NOT NULL GROUP BY lane) AS r""")
            most, over = cur.fetchone()
            self.samples += 1
            self.most, self.over = max(self.most, most), self.over + over
            self.until.wait(0.01)
        c.close()


def make(with_lanes):
    clear()
    fill(LANES * EACH, lane=f"'host' || n % {LANES}" if with_lanes else "NULL")
    if with_lanes:
        lanes(LANES)


for clients in (1, 4):
    figures, most, samples, over = {"none": [], "lanes": []}, 0, 0, 0
    for _ in range(RUNS):
        for how in figures:
            make(how == "lanes")
            watch = Sampler()
            watch.start()
            begun, s = time.monotonic(), session()
            rate = pgbench(
                "tenure.sql",
                clients,
                LANES * EACH // BATCH // clients,
                session=s,
                batch=BATCH,
                keyed=0,
            )
            took = time.monotonic() - begun
            watch.until.set()
            watch.join()
            left = sql("SELECT count(*) FROM tenure.job")[0][0]
            figures[how].append((LANES * EACH - left) / took)
            if how == "lanes":
                most, samples, over = (
                    max(most, watch.most),
                    samples + watch.samples,
                    over + watch.over,
                )
    print(
        f"{LANES:,} lanes x {EACH} jobs, at most 2 at a time; "
        f"{clients} connection(s), batches of {BATCH}"
    )
    table(
        ["", "jobs/s", "ratio"],
        [
            [n, spread(v), spread([a / b for a, b in zip(v, figures["none"])], 2)]
            for n, v in figures.items()
        ],
    )
    print(f"Most in one lane, {samples} samples: {most}; samples over the limit: {over}\n")

CLAIM = "SELECT count(*) FROM tenure.claim(%s, 'q', '{k}', 100)"


def claims(prepare, times=15):
    """ms of a claim, rolled back each time, and the jobs it found."""
    prepare()
    s, c = session(), connect(autocommit=False)
    cur, out = c.cursor(), []
    for _ in range(times):
        t = time.monotonic()
        cur.execute(CLAIM, (s,))
        found = cur.fetchone()[0]
        out.append((time.monotonic() - t) * 1000)
        c.rollback()
    c.close()
    return statistics.median(out[3:]), found


def few(number, busy):
    def go():
        clear()
        fill(busy * EACH, lane=f"'host' || n % {busy}")
        lanes(number)

    return go


def full():
    make(True)
    s = session()
    while sql("SELECT count(*) FROM tenure.claim(%s, %s, %s, 500)", s, "q", ["k"])[0][0]:
        pass
    sql("VACUUM ANALYZE tenure.lane, tenure.job")


rows = []
for name, prepare in (
    ("1,000 lanes, all have jobs and room", lambda: make(True)),
    ("1,000 lanes, 10 have jobs", few(1000, 10)),
    ("10,000 lanes, 10 have jobs", few(10_000, 10)),
    ("1,000 lanes, all have jobs, all are full", full),
):
    got = [claims(prepare) for _ in range(RUNS)]
    rows.append([name, got[0][1], spread([g[0] for g in got], 1)])
print("One claim of 100")
table(["lanes", "jobs found", "ms"], rows)
