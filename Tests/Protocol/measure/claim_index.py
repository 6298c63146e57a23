"""The claim's index, position and sweep."""

from lib import *

FAR = 100_000
CLAIM = """SELECT c.id::text, c.fence, c.priority, c.run_at, c.claimed_at FROM tenure.claim(
    %s, 'q', %s, %s, %s::timestamptz[], %s::uuid[]) AS c"""
FINISH = "SELECT count(*) FROM tenure.complete_group(%s::uuid[], %s::bigint[])"
ORDERED = """SELECT id FROM tenure.job WHERE queue = 'q' AND run_at <= clock_timestamp()
    AND state IN ('scheduled', 'available', 'retryable') AND lane IS NULL AND kind = ANY (%s)
    ORDER BY priority, run_at, id LIMIT 100 FOR NO KEY UPDATE SKIP LOCKED"""
PROBED = """SELECT count(*) FROM (SELECT p FROM generate_series(0, 9) AS p, LATERAL (
    SELECT FROM tenure.job c WHERE c.queue = 'q' AND c.priority = p AND c.run_at <= now()
      AND c.state IN ('scheduled', 'available', 'retryable') AND c.lane IS NULL
      AND c.kind = ANY (%s)
    ORDER BY c.run_at, c.id LIMIT 100 FOR NO KEY UPDATE SKIP LOCKED) AS j LIMIT 100) AS picked"""


def clocked(cur, statement, args, times=20):
    out = []
    for _ in range(times + 5):
        t = time.monotonic()
        cur.execute(statement, args)
        cur.fetchall()
        out.append((time.monotonic() - t) * 1000)
    return statistics.median(out[5:])


def layouts():
    rows = []
    cases = (
        ("10,000 available", lambda: fill(10_000, priority="(n % 10)::smallint")),
        (
            f"{FAR:,} scheduled ahead at priority 0, 10,000 available at 9",
            lambda: (
                fill(FAR, priority="0"),
                sql("UPDATE tenure.job SET run_at = now() + interval '1 day', state = 'scheduled'"),
                fill(10_000, priority="9", base=FAR),
            ),
        ),
        ("10,000 available, ten kinds, one wanted", lambda: fill(10_000, kind="'k' || n % 10")),
        (
            f"{FAR:,} of unwanted kinds ahead of 10,000 wanted",
            lambda: (fill(FAR, kind="'other'"), fill(10_000, priority="6", base=FAR)),
        ),
    )
    for name, make in cases:
        figures = {"probed": [], "ordered": []}
        for _ in range(RUNS):
            clear()
            make()
            sql("VACUUM ANALYZE tenure.job")
            c = connect(autocommit=False)
            cur = c.cursor()
            cur.execute("SET enable_seqscan = off; SET enable_bitmapscan = off")
            kinds = ["k0"] if "ten kinds" in name else ["k"]
            for how, statement in (("probed", PROBED), ("ordered", ORDERED)):
                figures[how].append(clocked(cur, statement, (kinds,)))
                c.rollback()
                cur.execute("SET enable_seqscan = off; SET enable_bitmapscan = off")
            c.close()
        rows.append([name, spread(figures["probed"], 2), spread(figures["ordered"], 2)])
    print("Picking 100 jobs, ms")
    table(["jobs", "ten probes", "one ordered scan"], rows)


class Position:
    """The worker's rule: ClaimPosition and ClaimSweep."""

    def __init__(self, mode):
        self.mode, self.times, self.ids = mode, [None] * 10, [None] * 10
        self.cost, self.at, self.sweeps, self.worst = 0.0, None, 0, 0.0

    def start(self, now):
        if self.mode == "head":
            return None
        if self.mode == "position":
            return self
        if self.cost <= 0.010 or self.at is None:
            return None
        return self if now - self.at < max(0.250, 20 * self.cost) else None

    def claimed(self, jobs, from_head, took, now):
        for j in jobs:
            p, mark = j[2], (j[3], j[0])
            if self.times[p] is None or mark > (self.times[p], self.ids[p]):
                self.times[p], self.ids[p] = mark
        if from_head:
            self.cost, self.at = took, now
            self.sweeps += 1
            self.worst = max(self.worst, took)


def drain(mode, jobs, batch, late=None, rate=None):
    """Claims and finishes everything.

    Returns (jobs, seconds) per tenth, the position, and when each id was claimed.
    """
    s = session()
    c, place, done, marks, when = connect(), Position(mode), 0, [], {}
    cur = c.cursor()
    begun = time.monotonic()
    while done < jobs or (late and late.pending()):
        t = time.monotonic()
        at = place.start(t)
        cur.execute(CLAIM, (s, ["k"], batch, at and at.times, at and at.ids))
        found = cur.fetchall()
        now = time.monotonic()
        place.claimed(found, at is None, now - t, now)
        if found:
            cur.execute(FINISH, ([j[0] for j in found], [j[1] for j in found]))
            for j in found:
                if late and j[0] in late.ids:
                    when[j[0]] = now
        else:
            if not late:
                break
            time.sleep(0.02)
        done += len(found)
        marks.append((done, time.monotonic() - begun))
    c.close()
    return marks, place, when


def rates(marks, jobs):
    def rate(a, b):
        inside = [m for m in marks if a <= m[0] <= b]
        return (inside[-1][0] - inside[0][0]) / (inside[-1][1] - inside[0][1])

    return rate(0, jobs / 10), rate(jobs * 0.9, jobs)


def snapshots():
    jobs, rows = int(os.environ.get("JOBS", "300000")), []
    for mode in ("head", "position", "rule"):
        first, last, ratio, worst, sweeps = [], [], [], [], []
        for _ in range(RUNS):
            clear()
            fill(jobs)
            with OpenSnapshot():
                marks, place, _ = drain(mode, jobs, 500)
            a, b = rates(marks, jobs)
            first.append(a), last.append(b), ratio.append(b / a)
            worst.append(place.worst * 1000), sweeps.append(place.sweeps)
        rows.append(
            [
                mode,
                spread(first),
                spread(last),
                spread(ratio, 2),
                spread(worst) if mode != "position" else "–",
                spread(sweeps),
            ]
        )
    print(f"Claim 500, finish 500, one connection, {jobs:,} jobs under an open snapshot")
    table(
        [
            "claims from",
            "jobs/s, first tenth",
            "last tenth",
            "last / first",
            "dearest head claim, ms",
            "head claims",
        ],
        rows,
    )


class Late:
    """Producers that insert with run_at = now and commit `seconds` later."""

    def __init__(self, naps, each):
        self.ids, self.committed, self.threads, self.each = {}, {}, [], each
        for n, nap in enumerate(naps):
            t = threading.Thread(target=self.produce, args=(n, nap))
            self.threads.append(t)
            t.start()

    def produce(self, n, nap):
        c = connect(autocommit=False)
        cur = c.cursor()
        time.sleep(n * 0.1)
        cur.execute(
            """SELECT id::text FROM tenure.enqueue_jobs((SELECT jsonb_agg(
            jsonb_build_object('kind', 'k', 'queue', 'q')) FROM generate_series(1, %s)))""",
            (self.each,),
        )
        mine = [r[0] for r in cur.fetchall()]
        for i in mine:
            self.ids[i] = nap
        time.sleep(nap)
        c.commit()
        for i in mine:
            self.committed[i] = time.monotonic()
        c.close()

    def pending(self):
        return any(t.is_alive() for t in self.threads) or len(self.committed) < len(self.ids)


class Stream:
    """A producer in time: jobs with run_at = now, committed at once, as fast as `rate`."""

    def __init__(self, rate, until):
        def go():
            c = connect()
            cur = c.cursor()
            while time.monotonic() < until:
                cur.execute(
                    """SELECT count(*) FROM tenure.enqueue_jobs((SELECT jsonb_agg(
                    jsonb_build_object('kind', 'k', 'queue', 'q')) FROM generate_series(1, %s)))""",
                    (rate // 20,),
                )
                time.sleep(0.05)
            c.close()

        self.thread = threading.Thread(target=go)
        self.thread.start()


def latecomers():
    rows = []
    for backlog in (0, 150_000):
        passed, first, worst, cost, sweeps, share = [], [], [], [], [], []
        for _ in range(RUNS):
            clear()
            fill(max(backlog, 1))
            with OpenSnapshot():
                if backlog:
                    drain("rule", backlog, 500)  # leaves its dead under the snapshot
                stream = Stream(2000, time.monotonic() + 26)
                late = Late((2, 5, 10, 20), 50)
                s = session()
                c, place, when, by = connect(), Position("rule"), {}, {}
                cur = c.cursor()
                end, busy = time.monotonic() + 28, 0.0
                while time.monotonic() < end or late.pending():
                    t = time.monotonic()
                    at = place.start(t)
                    cur.execute(CLAIM, (s, ["k"], 500, at and at.times, at and at.ids))
                    found = cur.fetchall()
                    now = time.monotonic()
                    busy += (now - t) if at is None else 0
                    place.claimed(found, at is None, now - t, now)
                    if found:
                        cur.execute(FINISH, ([j[0] for j in found], [j[1] for j in found]))
                    for j in found:
                        when[j[0]], by[j[0]] = now, "head" if at is None else "position"
                    time.sleep(0.005)
                c.close()
                stream.thread.join()
            waits = [(when[i] - late.committed[i]) * 1000 for i in late.ids]
            assert len(waits) == 200
            passed.append(sum(1 for i in late.ids if by[i] == "head"))
            first.append(percentile(waits, 0.5)), worst.append(max(waits))
            cost.append(place.worst * 1000), sweeps.append(place.sweeps), share.append(
                busy / 28 * 100
            )
        rows.append(
            [
                f"{backlog:,}",
                spread(cost, 1),
                spread(sweeps),
                spread(share, 1),
                spread(passed),
                spread(first),
                spread(worst),
            ]
        )
    print(
        "The rule; 2,000 jobs/s come in time, four producers commit 50 jobs each 2, 5, 10 and 20 s "
        "late; snapshot open"
    )
    table(
        [
            "dead entries at the head",
            "dearest head claim, ms",
            "head claims",
            "their time, %",
            "late jobs found by them, of 200",
            "wait after commit, p50 ms",
            "worst ms",
        ],
        rows,
    )


if __name__ == "__main__":
    setup()
    layouts()
    snapshots()
    latecomers()
