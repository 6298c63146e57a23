"""What claims of a few jobs cost the server, through lanes that have a few free places each.

With OLD_MIGRATIONS, the path of another tree's migrations: both in turns, in blocks, so that what
else the machine does is the same for both.
"""

import lib
from lib import *

ROUNDS, BLOCKS = 25, 14 * RUNS
# lanes, places of each, how many of them are taken all the time, jobs that a claim asks for
CASES = (
    (0, 0, 0, 3),
    (1, 3, 0, 3),
    (1, 16, 13, 3),
    (100, 3, 0, 48),
    (100, 16, 13, 48),
    (0, 0, 0, 48),
)
BUILDS = {"now": (os.environ["PGDATABASE"], MIGRATIONS)}
if os.environ.get("OLD_MIGRATIONS"):
    old = os.environ["PGDATABASE"] + "_old"
    BUILDS["old"] = (old, pathlib.Path(os.environ["OLD_MIGRATIONS"]))


def use(build):
    os.environ["PGDATABASE"], lib.MIGRATIONS = BUILDS[build]


def has(column):
    return sql(
        "SELECT count(*) FROM pg_attribute "
        "WHERE attrelid = 'tenure.lane_holders'::regclass AND attname = %s",
        column,
    )[0][0]


def hold(number, held):
    """Runs that never end have so many places of each lane."""
    fill(number * held, lane=f"'host' || n % {number}", base=10**7)
    sql(
        "UPDATE tenure.job SET state = 'running', session_id = %s, claimed_at = now(), "
        "fence = nextval('tenure.fence')",
        session(),
    )
    sql(
        "UPDATE tenure.lane_holders h SET running_ids = ("
        "SELECT array_agg(j.id ORDER BY j.id) FROM tenure.job j WHERE j.lane = h.lane)"
    )
    if has("running_fences"):
        sql(
            "UPDATE tenure.lane_holders h SET running_fences = ("
            "SELECT array_agg(j.fence ORDER BY j.id) FROM tenure.job j WHERE j.lane = h.lane)"
        )


class Claims:
    """A connection that claims and completes, and what each has cost its backend."""

    def __init__(self, build, number, most, held, wanted):
        use(build)
        clear()
        if number:
            lanes(number, most)
        if held:
            hold(number, held)
        fill(
            wanted * ROUNDS * (BLOCKS + 3), lane=f"'host' || n % {number}" if number else "NULL"
        )
        self.connection = connect()
        self.cursor, self.cpu = self.connection.cursor(), Cpu(self.connection)
        self.cursor.execute(
            "PREPARE c AS SELECT c.id, c.fence, c.place "
            f"FROM tenure.claim({session()}, 'q', '{{k}}', {wanted}) AS c"
        )
        self.cursor.execute(
            "PREPARE f (uuid[], bigint[], tid[]) AS "
            "SELECT count(*) FROM tenure.complete_group($1, $2, $3)"
        )

    def go(self):
        """Jobs of a claim, ms of a claim, ms of their end."""
        found = claims = ends = 0
        for _ in range(ROUNDS):
            begun = self.cpu.now()
            self.cursor.execute("EXECUTE c")
            rows = self.cursor.fetchall()
            claimed = self.cpu.now()
            self.cursor.execute(
                "EXECUTE f (%s::uuid[], %s::bigint[], %s::tid[])",
                [[r[i] for r in rows] for i in range(3)],
            )
            found += len(rows)
            claims += claimed - begun
            ends += self.cpu.now() - claimed
        return found / ROUNDS, claims / ROUNDS, ends / ROUNDS


for build in BUILDS:
    if build == "old" and not sql("SELECT 1 FROM pg_database WHERE datname = %s", BUILDS["old"][0]):
        sql(f"CREATE DATABASE {BUILDS['old'][0]}")
    use(build)
    setup()
rows = []
for case in CASES:
    parties = {build: Claims(build, *case) for build in BUILDS}
    figures = {build: [] for build in BUILDS}
    for party in parties.values():
        party.go()
    for _ in range(BLOCKS):
        for build, party in parties.items():
            figures[build].append(party.go())
    rows.append([case[0], case[1], case[2], case[3]])
    middle = {}
    for build in BUILDS:
        found, claims, ends = (statistics.median(f[i] for f in figures[build]) for i in range(3))
        middle[build] = (claims, claims + ends)
        rows[-1] += [f"{found:.1f}", f"{claims:.2f}", f"{ends:.2f}"]
    if "old" in BUILDS:
        rows[-1] += [f"{middle['old'][i] / middle['now'][i]:.2f}" for i in range(2)]
    for party in parties.values():
        party.connection.close()
head = ["lanes", "places", "taken", "wanted"]
for build in BUILDS:
    head += [f"found, {build}", f"claim, CPU ms, {build}", f"end, CPU ms, {build}"]
table(head + (["claims, old to now", "both, old to now"] if "old" in BUILDS else []), rows)
