"""Reads the arguments, starts the server, runs the fronts, and says how it ended."""
import argparse
import concurrent.futures
import importlib
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
import traceback

from report import Report
from rig import Rig

# In this order they begin, the longest first.
FRONTS = ("headers", "addresses", "sweeps", "escapes", "isolation", "settings", "sizes", "clocks",
          "roles", "ports")
# It asks how long an answer takes: the others' load would be in it.
ALONE = ("ports",)


def arguments(text):
    parser = argparse.ArgumentParser(
        description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="fronts, separated by commas")
    parser.add_argument("--seconds", type=float, help="how long what is random goes on (25)")
    parser.add_argument("--minutes", type=float, help="the same in minutes; all cases, too")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--at-a-time", type=int, default=3, help="how many fronts (3)")
    parser.add_argument("--tenure", help="a built tenure")
    options = parser.parse_args()
    options.fronts = [name for name in options.only.split(",") if name] or list(FRONTS)
    for name in options.fronts:
        if name not in FRONTS:
            parser.error(f"there is no front {name}; there are {', '.join(FRONTS)}")
    options.is_long = options.minutes is not None
    options.budget = options.minutes * 60 if options.is_long else options.seconds or 25
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(1_000_000)
    if not options.tenure:
        options.tenure = subprocess.run(
            ["swift", "build", "--show-bin-path"], text=True, capture_output=True,
            check=True).stdout.strip() + "/tenure"
    if not os.access(options.tenure, os.X_OK):
        parser.error(f"{options.tenure} isn't there: swift build --product tenure")
    return options


def attack(name, rig, report):
    begun = time.monotonic()
    front = report.front(name)
    try:
        importlib.import_module(f"fronts.{name}").run(rig, front)
    except Exception as error:  # the harness's own fault is no pass
        if not rig.is_stopping:
            where = traceback.extract_tb(error.__traceback__)[-1]
            text = " ".join(str(error).split())[:300]
            front.failed("the front itself", "it runs to its end",
                         f"{type(error).__name__}: {text} ({where.name}:{where.lineno})")
            if os.environ.get("TENURE_ATTACK_TRACE"):
                traceback.print_exc()
    front.close(time.monotonic() - begun)


def main(text):
    options = arguments(text)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65_536), most))
    report = Report()
    rig = Rig(os.path.abspath(options.tenure), options)
    for signal_number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(signal_number, lambda *_: sys.exit(130))
    status, threads = 130, None
    try:
        rig.start()
        print(f"seed {options.seed}", flush=True)
        threads = concurrent.futures.ThreadPoolExecutor(options.at_a_time)
        done = [threads.submit(attack, name, rig, report) for name in options.fronts
                if name not in ALONE]
        for one in done:
            one.result()
        for name in options.fronts:
            if name in ALONE:
                threads.submit(attack, name, rig, report).result()
        print(report.closing(), flush=True)
        status = 1 if report.count_failed or not report.count_passed else 0
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    finally:
        rig.is_stopping = True
        if threads:
            threads.shutdown(wait=False, cancel_futures=True)
        rig.stop()
        # Threads of hostile servers may still hold connections: they end with the process.
        sys.stdout.flush()
        sys.stderr.flush()
        if threading.active_count() > 1:
            os._exit(status)
    return status
