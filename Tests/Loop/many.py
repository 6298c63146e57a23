"""A thousand sites of 500 hosts: how politely each is asked, and how evenly."""
import atexit
import bisect
import collections
import concurrent.futures
import os
import subprocess
import sys
import threading
import time
import types

from many_server import PAGES
from rig import Rig, ends_with_us

HERE = os.path.dirname(os.path.abspath(__file__))
INTERVAL = 1.0  # the product's own: the least time between two requests to a host
AT_A_TIME = 2
CAPACITY = 3000


class Many:
    """Days are scaled to a sixtieth: a site that is checked every twenty hours is so every twenty
    minutes, an item is fetched again after a minute at the earliest, and after five at the latest,
    once a sitemap has named it: what only a check has seen is not kept. The time between two
    requests to a host is not scaled."""

    def __init__(self, options):
        self.options = options
        self.rig = Rig(os.path.abspath(options.tenure), types.SimpleNamespace(
            seed=options.seed, is_long=False, budget=0))
        atexit.register(self.rig.stop)  # however this ends
        self.rig.start()
        shim, self.log = f"{self.rig.folder}/names.so", f"{self.rig.folder}/arrivals"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", shim, f"{HERE}/names-shim.c"],
                       check=True)
        self.server = subprocess.Popen(
            [*ends_with_us(), sys.executable, f"{HERE}/many_server.py", str(options.hosts),
             self.log, str(INTERVAL * 1.2)], stdout=subprocess.PIPE, text=True)
        self.port = int(self.server.stdout.readline())
        self.database = self.rig.database("many")
        self.database.environment = {
            "TENURE_CONTENT_ALLOW": "127.1.0.0/16", "TENURE_CONTENT_CONTACT": "many@example.org",
            "LD_PRELOAD": shim}
        with open(f"{HERE}/many.sql") as file:
            self.rig.run_sql("many", file.read())
        self.pending, self.is_over = [], False

    def tenure(self, *words):
        result = self.database.tenure(*words, seconds=120)
        if result.code != 0:
            raise RuntimeError(f"tenure {' '.join(words)}: {result}")

    def run(self):
        self.tenure("queue", "capacity", "default", str(CAPACITY))
        begun = time.monotonic()
        sites = [f"http://h{host}.many.test:{self.port}/{site}/"
                 for host in range(self.options.hosts) for site in "ab"]
        # All are due at the same moments: what puts them apart is the product's to do.
        with concurrent.futures.ThreadPoolExecutor(4) as crew:
            list(crew.map(lambda url: self.tenure(
                "site", "add", url, "--cron", "*/20 * * * *", "--contact", "many@example.org",
                "--refetch", "--refetch-min", "1m", "--refetch-max", "5m", "--discover"), sites))
        print(f"  {len(sites)} sites added in {time.monotonic() - begun:.0f} s", flush=True)
        sampler = threading.Thread(target=self.sample)
        sampler.start()
        crew = [self.database.start("coordinator", "--lease", "5s")] + [
            self.database.start("worker", "--lease", "5s", "--queue", "default:100")
            for _ in range(2)]
        end = time.monotonic() + 60 * self.options.minutes
        while time.monotonic() < end:
            time.sleep(5)
            for one in crew:
                if one.death:
                    raise RuntimeError(one.death)
        for one in crew:
            one.stop(40)
        self.is_over = True
        sampler.join()

    def sample(self):
        with self.database.connect() as connection:
            while not self.is_over:
                self.pending.append(connection.execute(
                    "SELECT count(*) FROM tenure.job WHERE state IN "
                    "('scheduled', 'available', 'retryable', 'waiting')").fetchone()[0])
                time.sleep(0.25)

    # What was seen.

    def judge(self):
        self.server.kill()
        self.server.wait()
        arrivals = collections.defaultdict(list)
        with open(self.log) as file:
            for line in file:
                host, arrived, answered, _ = line.split(" ", 3)
                arrivals[int(host)].append((float(arrived), float(answered)))
        runs = collections.defaultdict(list)
        for lane, claimed, ended in self.database.query(
                "SELECT lane, extract(epoch FROM claimed)::float8, "
                "coalesce(extract(epoch FROM ended)::float8, 'infinity') FROM audit.run "
                "WHERE lane LIKE 'host:h%'"):
            runs[int(lane.removeprefix("host:h").split(".")[0])].append((claimed, ended))
        wrong = self.politeness(arrivals, runs) + self.spread()
        most = max(self.pending, default=0)
        print(f"  pending, of {len(self.pending)} samples: {most} at most; the capacity is "
              f"{CAPACITY}")
        if most > CAPACITY:
            wrong.append(f"{most} jobs were pending, and {CAPACITY} may be")
        items, sites, unseen = self.database.query(
            "SELECT (SELECT count(*) FROM content.item WHERE fetched_at IS NOT NULL), "
            "(SELECT count(*) FROM content.site s JOIN content.site_check k ON k.id = s.last_check "
            " WHERE k.finished_at IS NOT NULL), (SELECT count(*) FROM content.site s "
            " WHERE s.last_check IS NULL)")[0]
        print(f"  {items} items fetched, {sites} sites whose last check has ended, {unseen} that "
              "nobody has checked yet")
        if not items or not sites:
            wrong.append("no items or no sites: nothing was seen")
        return wrong

    def politeness(self, arrivals, runs):
        """The runs of a host's lane begin an interval apart, exactly, and are so many at a time;
        and each request belongs to a run of its own, within which it came. How late within it is
        up to the machine: a request that is late makes the next one seem early."""
        wrong, gaps, late, overlap, count = [], [], [], 0, 0
        for host in range(self.options.hosts):
            mine, asked = sorted(runs[host]), sorted(arrivals[host])
            count += len(asked)
            for (one, _), (other, _) in zip(mine, mine[1:]):
                if other - one < INTERVAL:
                    wrong.append(f"host {host}: two claims {other - one:.4f} s apart")
            gaps += [other - one for (one, _), (other, _) in zip(asked, asked[1:])]
            spans = sorted((end, begin) for begin, end in asked)
            overlap = max([overlap, *(
                sum(1 for end, begin in spans if begin <= moment < end) for moment, _ in asked)])
            late += self.match(host, mine, asked, wrong)
            for claimed, _ in mine:
                held = sum(1 for begin, end in mine if begin <= claimed < end)
                if held > AT_A_TIME:
                    wrong.append(f"host {host}: {held} jobs at a time")
        if overlap > AT_A_TIME:
            wrong.append(f"{overlap} requests to a host at a time")
        early = sum(gap < INTERVAL - 0.05 for gap in gaps)
        late.sort()
        gaps.sort()
        if not gaps or not late:
            return [*wrong, "no host was asked twice: nothing was seen"]
        print(f"  {count} requests to {sum(map(bool, arrivals.values()))} hosts, by "
              f"{sum(map(len, runs.values()))} runs in their lanes, each within a run of its own "
              f"but for {len(wrong)} complaints; {overlap} at most at a time")
        print(f"  by arrivals: the least pause of a host {gaps[0]:.3f} s, {early} of {len(gaps)} "
              f"under {INTERVAL - 0.05:.2f} s; a request came {late[len(late) // 2]:.3f} s after "
              f"its claim (median), {late[int(len(late) * 0.99)]:.3f} s (99 %), {late[-1]:.3f} s "
              "at most")
        return wrong

    @staticmethod
    def match(host, runs, asked, wrong):
        """Gives each request a run of its own, the one that ends first of those that it lies in;
        how long after their claims they came."""
        late, free = [], list(runs)
        for arrived, _ in asked:
            fits = [run for run in free[:bisect.bisect_right(free, (arrived, float("inf")))]
                    if run[1] >= arrived]
            if not fits:
                wrong.append(f"host {host}: a request at {arrived:.3f} belongs to no run")
                continue
            run = min(fits, key=lambda run: run[1])
            free.remove(run)
            late.append(arrived - run[0])
        return late

    def spread(self):
        """Checks of sites that are due at one moment begin apart."""
        wrong = []
        begun = [at for (at,) in self.database.query(
            "SELECT extract(epoch FROM started_at)::float8 FROM content.site_check "
            "WHERE site IS NOT NULL ORDER BY 1")]
        due = [at for (at,) in self.database.query(
            "SELECT extract(epoch FROM at)::float8 FROM audit.enqueued "
            "WHERE kind = 'content-fetch' ORDER BY 1")]
        for what, times in (("checks begun", begun), ("refetches due", due)):
            if not times:
                wrong.append(f"no {what}: nothing was seen")
                continue
            rows = collections.Counter(int((at - times[0]) // 10) for at in times)
            most = max(rows.values())
            print(f"  {what}: {len(times)}; in ten seconds {most} at most. Each line 10 s:")
            for row in range(max(rows) + 1):
                print(f"    {row * 10:5} s {rows[row]:5} {'▇' * round(50 * rows[row] / most)}")
        # Half the interval is ten minutes, sixty of these rows.
        rows = collections.Counter(int(at // 10) for at in begun)
        if begun and max(rows.values()) > 4 * 2 * self.options.hosts / 60:
            wrong.append(f"{max(rows.values())} checks began within ten seconds")
        return wrong


def run(options):
    many = Many(options)
    try:
        many.run()
        return many.judge()
    except RuntimeError as error:
        return [str(error)]
    finally:
        many.is_over = True
        many.server.kill()
        many.rig.stop()
