"""One site and what breaks on it; or many, while those who watch them are killed."""
import argparse
import atexit
import os
import random
import sys
import time
import types

from judge import Judge
from lane import run as run_lane
from many import run as run_many
from rig import Rig, ends_with_us, wait_until
from world import SECRET, Hook, Post, Sites

HERE = os.path.dirname(os.path.abspath(__file__))


class Loop:
    def __init__(self, options, python):
        self.options = options
        self.rig = Rig(os.path.abspath(options.tenure), types.SimpleNamespace(
            seed=options.seed, is_long=False, budget=0))
        atexit.register(self.rig.stop)  # however this ends
        self.rig.start()
        self.sites = Sites(options.sites if options.kill else 1, pages=4)
        self.hook = Hook(loses=options.kill)
        # Some messages have arrived before their connection breaks: they come again.
        faults = ["--fault", "data close", "--times", "5"] if options.kill else []
        self.post = Post(
            python, f"{HERE}/../Mail/server.py", f"{self.rig.folder}/mail",
            [*ends_with_us()], faults)
        self.database = self.rig.database("loop")
        self.database.environment = {
            "TENURE_CONTENT_ALLOW": "127.0.0.1", "TENURE_SECRET_LOOP": SECRET}
        with open(f"{HERE}/audit.sql") as file:
            self.rig.run_sql("loop", file.read())

    def tenure(self, *words):
        result = self.database.tenure(*words)
        if result.code != 0:
            raise RuntimeError(f"tenure {' '.join(words)}: {result}")

    def watch(self, every):
        self.tenure("notify", "add", "hook", "--webhook", self.hook.url,
                    "--secret-env", "TENURE_SECRET_LOOP")
        self.tenure("notify", "add", "mail", "--mail", "ops@example.org",
                    "--from", "tenure@example.org", "--server", self.post.url)
        for site in range(self.sites.count):
            self.tenure("site", "add", self.sites.url(site), "--every", every,
                        "--allow", "127.0.0.1", "--notify", "hook", "--notify", "mail")

    def value(self, statement):
        return self.database.query(statement)[0][0]

    def until(self, what, condition, seconds):
        if not wait_until(condition, seconds, 0.1):
            raise RuntimeError(f"not within {seconds} s: {what}")

    def finished(self):
        return self.value("SELECT count(*) FROM audit.finished")

    def counts(self):
        return len(self.hook.told), len(self.post.told)

    def stop(self):
        self.post.stop()
        self.rig.kill()

    # One page, by hand.

    def calm(self):
        self.watch("2s")
        up = self.database.start("up", "--workers", "2", "--lease", "3s")
        self.until("the first check", lambda: self.finished() >= 1, 60)
        for broken, wanted in ((True, 1), (False, 2)):
            begun = time.monotonic()
            if broken:
                self.sites.broken.add(self.sites.path(0, 1))
            else:
                self.sites.broken.clear()
            self.until("a notice at both sinks",
                       lambda: min(self.counts()) >= wanted, 60)
            print(f"  {'broken' if broken else 'mended'}: told after "
                  f"{time.monotonic() - begun:.1f} s, by the site's own check")
            seen = self.finished()
            self.until("two checks more", lambda: self.finished() >= seen + 2, 60)
            if self.counts() != (wanted, wanted):
                raise RuntimeError(f"told {self.counts()} times, and {wanted} is right")
        self.until("up ends", lambda: up.stop(30) == 0, 40)
        self.drain(1)

    def drain(self, workers, seconds=180):
        """With nobody who fires schedules: what is under way comes to its end."""
        crew = [self.worker() for _ in range(workers)]
        # A batch without jobs has its end's job still to come: checks have to have ended, too.
        self.until("everything ends", lambda: self.value(
            "SELECT NOT EXISTS (SELECT FROM tenure.job) AND (SELECT count(*) FROM audit.begun) = "
            "(SELECT count(*) FROM audit.finished)"), seconds)
        for one in crew:
            one.stop()

    # Many, under fire.

    def worker(self):
        return self.database.start("worker", "--lease", "3s")

    def coordinator(self):
        return self.database.start("coordinator", "--lease", "3s", "--breaker-deaths", "0")

    def kill(self):
        chance = random.Random(self.options.seed)
        self.watch("20s")
        begun, kills = time.monotonic(), 0
        workers = [self.worker() for _ in range(3)]
        coordinators = [self.coordinator() for _ in range(2)]
        end = begun + 60 * self.options.minutes
        next_kill = begun + 5
        while time.monotonic() < end:
            time.sleep(0.5)
            self.change(chance)
            if time.monotonic() < next_kill:
                continue
            next_kill += 5
            for crew, start in ((workers, self.worker), (coordinators, self.coordinator)):
                place = chance.randrange(len(crew))
                crew[place].kill()
                crew[place] = start()
                kills += 1
        print(f"  {kills} processes killed in {time.monotonic() - begun:.0f} s", flush=True)
        # A whole round for each site, with what is broken now.
        since = self.value("SELECT clock_timestamp()::text")
        self.until("a last check of each site", lambda: self.value(
            "SELECT count(DISTINCT b.site) FROM audit.begun b JOIN audit.finished USING (check_id) "
            f"WHERE b.at > '{since}'") == self.sites.count, 180)
        for one in coordinators:
            one.stop()
        for one in workers:
            one.stop()
        self.drain(2)

    def change(self, chance):
        """A page of some site breaks, or is mended."""
        if chance.random() < 0.3:
            path = self.sites.path(
                chance.randrange(self.sites.count), chance.randrange(self.sites.pages))
            self.sites.broken ^= {path}


def main(about, python):
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--tenure", required=True)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--many", action="store_true")
    parser.add_argument("--lane", action="store_true")
    parser.add_argument("--hosts", type=int, default=500)
    parser.add_argument("--sites", type=int, default=20)
    parser.add_argument("--minutes", type=float, help="5; 12 with --many")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.minutes is None:
        options.minutes = 12 if options.many else 5
    if not os.access(python, os.X_OK):
        sys.exit("aiosmtpd is missing: bin/setup --tests")
    if options.many:
        print(f"the loop, {2 * options.hosts} sites of {options.hosts} hosts", flush=True)
        return told(run_many(options))
    if options.lane:
        print("the loop, fetches beside looks in one lane", flush=True)
        return told(run_lane(options))
    loop = Loop(options, python)
    try:
        print(f"the loop, {'under fire, seed ' + str(options.seed) if options.kill else 'calm'}")
        loop.kill() if options.kill else loop.calm()
        judge = Judge(loop.database, loop.hook, loop.post)
        wrong = judge.run(loop.sites)
    except RuntimeError as error:
        wrong, judge = [str(error)], None
    finally:
        loop.stop()
    if judge:
        print("  " + ", ".join(f"{name} {count}" for name, count in judge.figures.items()))
    return told(wrong)


def told(wrong):
    for one in wrong[:40]:
        print(f"✘ {one}")
    print("✘ Loop: failed" if wrong else "✔ Loop: all as promised")
    return bool(wrong)
