"""The parts, one after the other, and what is said of them."""
import argparse
import importlib
import os
import re
import shutil
import subprocess
import tempfile
import time
import types

import psycopg
import servers
from page import PageError
from place import Place

NEEDS = {"upgrade": {"old", "next"}, "switchover": {"next"}}
PARTS = ["upgrade", "switchover", "moment", "snapshot", "disk"]
# Of the servers that bin/setup --tests has fetched.
SERVERS = {"old": "16", "next": "17"}


def say(text):
    print(f"  {text}", flush=True)


def run_part(name, options, mutant=None):
    """What is wrong."""
    part = importlib.import_module(name)
    place = Place(options.tenure, name)
    chosen = types.SimpleNamespace(
        old=options.old, next=options.next, mutant=mutant, without=[])
    if mutant and mutant.startswith("without-"):
        chosen.without = [mutant.removeprefix("without-")]
    begun = time.monotonic()
    try:
        wrong = part.run(place, say if not mutant else (lambda _: None), chosen)
    except (RuntimeError, PageError, subprocess.SubprocessError, psycopg.Error) as error:
        wrong = [str(error)]
    finally:
        place.end(options.keep)
    if options.keep:
        say(f"kept: {place.folder}")
    took = time.monotonic() - begun
    return wrong, took


def run_mutants(name, options):
    failures = []
    for mutant, (reason, about) in importlib.import_module(name).MUTANTS.items():
        if options.only and mutant != options.only:
            continue
        wrong, took = run_part(name, options, mutant)
        caught = re.search(reason, "\n".join(wrong or []), re.S) is not None
        print(f"{'✔' if caught else '✘'} {name}: {about}, {took:.0f} s: "
              f"{'; '.join(wrong or ['nothing was noticed'])[:300]}", flush=True)
        if not caught:
            failures.append(f"{name}, {mutant}")
    return failures


def main(about):
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--tenure", required=True)
    parser.add_argument("--old", help="the bin of the PostgreSQL to upgrade from")
    parser.add_argument("--next", help="the bin of the newer PostgreSQL")
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--only", help="with --mutants: this one")
    parser.add_argument("--keep", action="store_true", help="leave the folders, to look into them")
    options = parser.parse_args()
    options.tenure = os.path.abspath(options.tenure)
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"there is no part {part}; there are {', '.join(PARTS)}")
    unpacked = tempfile.mkdtemp(prefix="tenure-daytwo-postgres-")
    os.chmod(unpacked, 0o755)
    try:
        for name, version in SERVERS.items():
            given = getattr(options, name)
            setattr(options, name, os.path.abspath(given) if given
                    else servers.unpack(version, unpacked))
        failures = run(options)
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)
    if failures:
        print("✘ DayTwo: failed: " + ", ".join(failures))
    else:
        print("✔ DayTwo: all as written")
    return bool(failures)


def run(options):
    failures = []
    for name in options.parts or PARTS:
        if NEEDS.get(name, set()) & {one for one in SERVERS if getattr(options, one) is None}:
            print(f"✘ {name}: PostgreSQL is missing: bin/setup --tests, or --old and --next")
            failures.append(name)
        elif options.mutants:
            failures += run_mutants(name, options)
        else:
            print(f"{name}:", flush=True)
            wrong, took = run_part(name, options)
            if wrong is None:
                print(f"– {name}: SKIPPED, nothing was run: it needs root")
                continue
            for one in wrong[:20]:
                print(f"✘ {one}")
            print(f"{'✘' if wrong else '✔'} {name}, {took:.0f} s", flush=True)
            failures += [name] if wrong else []
    return failures
