"""Fetches that people wait for, while thousands of looks wait in the lane of the same host."""
import atexit
import concurrent.futures
import http.server
import os
import re
import threading
import time
import types

from rig import Rig, wait_until
from world import Server

INTERVAL = 0.4
LOOKS, FETCHES, WAITING = 10_000, 200, 10


class Host:
    """One page with ten thousand links; what is asked, in order."""

    def __init__(self):
        self.asked = []
        host = self

        class Answer(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                host.asked.append((time.time(), self.path))
                is_there = re.fullmatch(r"/(many|[lf]\d+)", self.path)
                links = "".join(f"<a href=/l{n}>l</a>" for n in range(LOOKS)) \
                    if self.path == "/many" else ""
                body = f"<!doctype html><title>{self.path}</title><p>Words.{links}".encode()
                self.send_response(200 if is_there else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", len(body))
                self.end_headers()
                if self.command == "GET":
                    self.wfile.write(body)

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


class Lane:
    def __init__(self, options):
        self.rig = Rig(os.path.abspath(options.tenure), types.SimpleNamespace(
            seed=options.seed, is_long=False, budget=0))
        atexit.register(self.rig.stop)  # however this ends
        self.rig.start()
        self.host, self.database = Host(), self.rig.database("lane")
        self.database.environment = {
            "TENURE_CONTENT_ALLOW": "127.0.0.1", "TENURE_CONTENT_CONTACT": "lane@example.org",
            "TENURE_CONTENT_HOST_INTERVAL": f"{round(INTERVAL * 1000)}ms"}

    def value(self, statement):
        return self.database.query(statement)[0][0]

    def tenure(self, *words):
        result = self.database.tenure(*words, seconds=600)
        if result.code != 0:
            raise RuntimeError(f"tenure {' '.join(words)}: {result}")

    def fetch(self, number):
        words = ("--wait",) if number % (FETCHES // WAITING) == 0 else ()
        self.tenure("fetch", f"{self.host.url}/f{number}", *words)

    def run(self):
        self.database.start("coordinator", "--lease", "5s")
        for _ in range(2):
            self.database.start("worker", "--lease", "5s")
        self.tenure("fetch", f"{self.host.url}/many")
        waiting = ("SELECT count(*) FROM tenure.job WHERE kind = 'dependency-check' AND "
                   "lane IS NOT NULL AND state IN ('scheduled', 'available', 'retryable')")
        if not wait_until(lambda: self.value(waiting) > LOOKS * 0.98, 240, 1):
            raise RuntimeError(f"{self.value(waiting)} looks wait, and {LOOKS} links are there")
        # As if they had waited for a quarter of an hour: ten minutes is what a lane takes as long.
        self.database.query(
            "UPDATE tenure.job SET run_at = run_at - interval '15 min' WHERE lane IS NOT NULL "
            "AND kind = 'dependency-check' AND state <> 'running'")
        print(f"  {self.value(waiting)} looks wait in the lane", flush=True)
        begun = time.time()
        with concurrent.futures.ThreadPoolExecutor(WAITING + 2) as crew:
            list(crew.map(self.fetch, range(FETCHES)))
        done = "SELECT count(*) FROM content.fetch_run WHERE outcome <> 'failed'"
        wait_until(lambda: self.value(done) >= FETCHES + 1, 60 + 2 * FETCHES * INTERVAL, 0.5)
        return self.judge(begun)

    def judge(self, begun):
        asked = sorted(self.host.asked)
        fetches = [at for at, path in asked if path.startswith("/f")]
        wrong = []
        if len(fetches) != FETCHES:
            return [f"{len(fetches)} of {FETCHES} fetches were made"]
        first, last = fetches[0], fetches[-1]
        between = [path for at, path in asked if first < at < last and path.startswith("/l")]
        asked_for = self.value(
            "SELECT extract(epoch FROM max(created_at))::float8 FROM tenure.job_history "
            "WHERE kind = 'content-fetch'") - begun
        least = FETCHES * INTERVAL
        left = self.value("SELECT count(*) FROM tenure.job WHERE kind = 'dependency-check'")
        print(f"  {FETCHES} fetches asked for within {asked_for:.0f} s: the first was made after "
              f"{first - begun:.1f} s, the last after {last - begun:.1f} s; a lane of {INTERVAL} s "
              f"makes so many in {least:.0f} s")
        print(f"  looks meanwhile: {len(between)}, of which the lane's ageing lets six a minute "
              f"through; {left} still wait")
        if last - begun > max(asked_for, least) * 1.25 + 10:
            wrong.append("the fetches took longer than their lane's pace")
        minutes = (last - first) / 60
        # What is asked for more slowly than the lane goes leaves turns to looks.
        room = max(0, asked_for - least) / INTERVAL
        if len(between) > 6 * (minutes + 1) + room + 10:
            wrong.append(f"{len(between)} looks went before fetches")
        if minutes >= 1.1 and not between:
            wrong.append("no look went meanwhile: they starve")
        before = len(self.host.asked)
        if not wait_until(lambda: len(self.host.asked) >= before + 20, 20 * INTERVAL * 3 + 10):
            wrong.append("the looks don't go on afterwards")
        return wrong


def run(options):
    lane = Lane(options)
    try:
        return lane.run()
    except RuntimeError as error:
        return [str(error)]
    finally:
        lane.rig.stop()
