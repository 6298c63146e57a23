"""Hour after hour of a site that is watched, and how large the tables are."""
import argparse
import atexit
import http.server
import json
import os
import re
import threading
import time
import types

from clock import ClockRig
from world import SECRET, Hook, Server

KEPT = {"checks": 3, "events": 3, "candidates": 3, "versions": 3, "notices": 7}
# After so many days the rows that go are as many as those that come, a day's sweeps have seen all
# bodies, and what autovacuum has left free is used again.
WARM = max(KEPT.values()) + 2


class Site:
    """A first page that refers to all others. Some change often, and each hour one is missing."""

    def __init__(self, pages):
        self.pages, self.hour = pages, 0
        site = self

        class Answer(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body at once: between two writes the other's system waits 40 ms to confirm.
            wbufsize, disable_nagle_algorithm = -1, True

            def do_GET(self):
                match = re.fullmatch(r"/s/(?:p(\d+))?", self.path)
                page = int(match[1]) if match and match[1] else 0
                is_there = match and page < site.pages and not site.is_missing(page)
                body = (site.page(page) if is_there else "<title>no</title>").encode()
                self.send_response(200 if is_there else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", len(body))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/s/"

    def is_missing(self, page):
        return page > 0 and page == self.hour % self.pages

    def page(self, page):
        """The first ones change every hour, the last ones every few days; half of all never."""
        since = self.hour // (page + 1) if page < self.pages // 2 else 0
        links = range(1, self.pages) if page == 0 else [0, (page + 1) % self.pages]
        text = " ".join(f"<p>Sentence {n} of page {page} says {hash((page, since, n)) % 10**9}, "
                        "and more words than that.</p>" for n in range(40))
        return (f"<!doctype html><html><head><title>Page {page}, {since}</title></head><body>"
                f"<article>{text}</article>"
                + "".join(f"<a href=p{n}>page {n}</a>\n" for n in links) + "</body></html>")


SIZES = """
    SELECT n.nspname || '.' || c.relname,
           pg_total_relation_size(c.oid) + coalesce((
               SELECT sum(pg_total_relation_size(p.relid))
               FROM pg_partition_tree(c.oid) p WHERE p.relid <> c.oid), 0),
           coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0),
           (SELECT count(*) FROM pg_partition_tree(c.oid) p WHERE p.isleaf)
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('content', 'tenure') AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition
"""


class Housekeeping:
    def __init__(self, options):
        self.options, self.samples = options, []
        self.rig = ClockRig(os.path.abspath(options.tenure), types.SimpleNamespace(
            seed=1, is_long=False, budget=0))
        atexit.register(self.rig.stop)  # however this ends
        self.rig.start()
        # A real hour has sixty of autovacuum's rounds, and an hour here a second or two.
        self.rig.run_sql("postgres", "ALTER SYSTEM SET autovacuum_naptime = '1s'",
                         "SELECT pg_reload_conf()")
        self.site, self.hook = Site(options.pages), Hook(loses=False)
        self.database = self.rig.database("housekeeping")
        self.database.environment = {
            **self.rig.environment, "TENURE_CONTENT_ALLOW": "127.0.0.1",
            "TENURE_SECRET_LOOP": SECRET,
            **{f"TENURE_CONTENT_KEEP_{name.upper()}": f"{days}d" for name, days in KEPT.items()}}

    def tenure(self, *words):
        result = self.database.tenure(*words, seconds=120)
        if result.code != 0:
            raise RuntimeError(f"tenure {' '.join(words)}: {result}")
        return result.text

    def run(self):
        self.tenure("notify", "add", "hook", "--webhook", self.hook.url,
                    "--secret-env", "TENURE_SECRET_LOOP")
        self.tenure("host", "set", "127.0.0.1", "--own", "--max-running", "10")
        self.tenure("site", "add", self.site.url, "--every", "1h", "--allow", "127.0.0.1",
                    "--notify", "hook", "--changes", "--refetch", "--refetch-min", "1h",
                    "--refetch-max", "12h")
        # What is fetched once is fetched again by the site.
        for page in ["", *(f"p{number}" for number in range(1, self.options.pages))]:
            self.database.enqueue("content-fetch", json.dumps({"url": self.site.url + page}))
        watching = ("coordinator", "--lease", "10s", "--tick", "50ms")
        coordinator = self.database.start(*watching)
        self.database.start("worker", "--lease", "10s", "--no-listen", "--poll", "20ms")
        begun = time.monotonic()
        with self.database.connect() as connection:
            last = None
            for hour in range(1, self.options.hours + 1):
                self.site.hour = hour
                last = self.checked(connection, last)
                if hour % 24 == 0:
                    self.sample(connection, hour // 24, time.monotonic() - begun)
                    # It drops history when it begins, and every ten minutes by a clock that
                    # nobody can set: one look a day, in place of 144.
                    coordinator.stop()
                    coordinator = self.database.start(*watching)
        print(f"  {self.options.hours} checks of {self.options.pages} pages in "
              f"{time.monotonic() - begun:.0f} s; {len(self.hook.told)} notices came", flush=True)
        doctor = self.database.tenure("doctor", seconds=120).text
        for line in doctor.splitlines():
            if "growth" in line or line.startswith("fail"):
                print(f"  doctor: {line}")

    def checked(self, connection, last):
        """Lets the hour begin, when the site is due, and waits for its check's share of the half
        hour; returns the check's id when it, and what else was due, has ended."""
        hour = self.site.hour
        self.rig.set(hour)
        begun = time.monotonic()
        self.until(connection, "the site is due",
                   "SELECT true FROM tenure.job j WHERE j.key LIKE 'site:%%' UNION ALL "
                   "SELECT true FROM content.site s WHERE s.last_check IS DISTINCT FROM %s", [last])
        if hour == 1:
            # The hours of a schedule are counted from when it was first looked at, which took
            # the coordinator's start: each later one would be waited for as long.
            self.rig.ahead += time.monotonic() - begun
        self.rig.set(hour + 0.5)
        return self.until(
            connection, "a check has ended",
            "SELECT k.id FROM content.site s JOIN content.site_check k ON k.id = s.last_check "
            "WHERE k.finished_at IS NOT NULL AND k.id IS DISTINCT FROM %s AND NOT EXISTS ("
            "    SELECT FROM tenure.job j WHERE j.state = 'running')", [last])

    def until(self, connection, what, statement, parameters):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            row = connection.execute(statement, parameters).fetchone()
            if row:
                return row[0]
            time.sleep(0.02)
        raise RuntimeError(f"not within 120 s, in the hour {self.site.hour}: {what}")

    def sample(self, connection, day, seconds):
        sizes = {name: (int(size), int(toast), leaves) for name, size, toast, leaves
                 in connection.execute(SIZES).fetchall()}
        counts = connection.execute(
            "SELECT (SELECT count(*) FROM content.site_check), "
            "(SELECT count(*) FROM content.check_target), (SELECT count(*) FROM content.version), "
            "(SELECT count(*) FROM content.body), (SELECT count(*) FROM content.notice), "
            "(SELECT count(*) FROM content.fetch_run), (SELECT count(*) FROM tenure.job_history)"
        ).fetchone()
        self.samples.append((day, sizes, counts))
        content = sum(size for name, (size, *_) in sizes.items() if name.startswith("content."))
        queue = sum(size for name, (size, *_) in sizes.items() if name.startswith("tenure."))
        leaves = sizes["tenure.job_history"][2]
        names = ("checks", "visits", "versions", "bodies", "notices", "fetches", "history")
        print(f"  day {day:3} ({seconds:4.0f} s): content {content / 2**20:6.1f} MiB, tenure "
              f"{queue / 2**20:6.1f} MiB, {leaves} partitions of history; "
              + ", ".join(f"{count} {name}" for name, count in zip(names, counts)), flush=True)

    def judge(self):
        """By the first and the last third of the days after all times of keeping have passed."""
        days = [sample for sample in self.samples if sample[0] > WARM]
        third = len(days) // 3
        if third < 1:
            return [f"{len(self.samples)} days say nothing; take --hours {24 * (WARM + 9)}"]
        wrong, rows = [], []

        def most(samples, name):
            return max(sizes[name][0] for _, sizes, _ in samples)
        for name in days[-1][1]:
            first, last = most(days[:third], name), most(days[-third:], name)
            rows.append((last, first, name, days[-1][1][name][1]))
            # Bounded by rows an item, which it hasn't come to yet: looked at below.
            if name != "content.fetch_run" and last > 2**19 and last > 1.2 * first:
                wrong.append(f"{name} grew from {first} to {last} bytes")
        print(f"  {'table, at most (KiB)':34} days {days[0][0]}-{days[third - 1][0]:<5} "
              f"days {days[-third][0]}-{days[-1][0]:<5} of it toast")
        for last, first, name, toast in sorted(rows, reverse=True):
            if last > 2**16:
                print(f"    {name:32} {first / 1024:10.0f} {last / 1024:12.0f} "
                      f"{toast / 1024:10.0f}")
        first, last = (sum(row[place] for row in rows if row[2] != "content.fetch_run")
                       for place in (1, 0))
        print(f"  in all, fetches aside: {first / 2**20:.1f} MiB, then {last / 2**20:.1f} MiB "
              f"({100 * last / first - 100:+.1f} %)")
        if last > 1.05 * first:
            wrong.append(f"all tables grew from {first} to {last} bytes")
        most_runs = self.database.query(
            "SELECT max(n) FROM (SELECT count(*) AS n FROM content.fetch_run GROUP BY item) AS r")
        if most_runs[0][0] > 100:
            wrong.append(f"an item has {most_runs[0][0]} fetches")
        dangling = self.database.query(
            "SELECT count(*) FROM content.version v WHERE v.body IS NOT NULL AND NOT EXISTS ("
            "    SELECT FROM content.body b WHERE b.hash = v.body)")[0][0]
        if dangling:
            wrong.append(f"{dangling} versions have lost their bodies")
        (_, _, (checks, *_)) = days[-1]
        if checks > 24 * KEPT["checks"] + 26:
            wrong.append(f"{checks} checks are kept")
        if not self.hook.told or days[-1][2][2] <= self.options.pages:
            wrong.append("nothing changed, or nobody was told: nothing was seen")
        return wrong


def main(about):
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--tenure", required=True)
    parser.add_argument("--hours", type=int, default=2000)
    parser.add_argument("--pages", type=int, default=100)
    options = parser.parse_args()
    print(f"housekeeping: {options.hours} hourly checks of {options.pages} pages; kept for days: "
          + ", ".join(f"{name} {days}" for name, days in KEPT.items()), flush=True)
    run = Housekeeping(options)
    try:
        run.run()
        wrong = run.judge()
    except RuntimeError as error:
        wrong = [str(error)]
    finally:
        run.rig.stop()
    for one in wrong[:40]:
        print(f"✘ {one}")
    print("✘ Housekeeping: failed" if wrong else "✔ Housekeeping: the size is flat")
    return bool(wrong)
