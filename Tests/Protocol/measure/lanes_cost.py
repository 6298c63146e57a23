"""What one claim over many lanes costs the server."""

from lib import *

setup()


def make(number, busy, each=20):
    clear()
    fill(busy * each, lane=f"'host' || n % {busy}")
    lanes(number)


def full():
    make(1000, 1000)
    s = session()
    while sql("SELECT count(*) FROM tenure.claim(%s, %s, %s, 500)", s, "q", ["k"])[0][0]:
        pass
    sql("VACUUM ANALYZE tenure.lane"), sql("VACUUM ANALYZE tenure.job")


def cost(wanted, times=12):
    s, c = session(), connect(autocommit=False)
    cur, out, cpu = c.cursor(), [], Cpu(c)
    for _ in range(times):
        t = cpu.now()
        cur.execute("SELECT count(*) FROM tenure.claim(%s, 'q', '{k}', %s)", (s, wanted))
        found = cur.fetchone()[0]
        out.append(cpu.now() - t)
        c.rollback()
    c.close()
    return statistics.median(out[6:]), found


FORMS = {"claim": ""}
CASES = (
    ("1,000 lanes, all have jobs and room", lambda: make(1000, 1000)),
    ("1,000 lanes, 10 have jobs", lambda: make(1000, 10)),
    ("10,000 lanes, 10 have jobs", lambda: make(10_000, 10)),
    ("1,000 lanes, all full", full),
)
rows = []
for name, prepare in CASES:
    for wanted in (10, 100):
        figures = {f: [] for f in FORMS}
        for _ in range(RUNS):
            for form, text in FORMS.items():
                setup()
                text and sql(text)
                prepare()
                ms, found = cost(wanted)
                figures[form].append(ms)
        rows.append([name, wanted, found] + [spread(v, 1) for v in figures.values()])
table(["lanes", "wanted", "found"] + [f"{f}, CPU ms" for f in FORMS], rows)
