"""The suite's command line: which cases, against which program."""
import argparse
import os
import sys
import types

import chaos
import lease_cases
import run_cases
import shape_cases
import stop_cases
from rig import Rig
from world import LOGIN, World, Wrong

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = {**run_cases.CASES, **shape_cases.CASES, **lease_cases.CASES,
         **stop_cases.CASES}
OURS = [sys.executable, f"{HERE}/script.py"]


def main(usage):
    words, command = sys.argv[1:], []
    if "--" in words:
        at = words.index("--")
        words, command = words[:at], words[at + 1:]
        # Workers have a folder of their own to run in.
        command = [os.path.abspath(one) if os.path.isfile(one) else one for one in command]
    parser = argparse.ArgumentParser(usage=usage)
    parser.add_argument("--tenure", default=f"{HERE}/../../.build/debug/tenure")
    parser.add_argument("--only", type=lambda names: names.split(","))
    parser.add_argument("--broken", nargs="?", const="all")
    parser.add_argument("--chaos", type=float)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(words)
    unknown = set(options.only or []) - set(CASES)
    if unknown:
        parser.error(f"there is no case {', '.join(sorted(unknown))}: --list names them")
    if options.list:
        print("\n".join(CASES))
        return 0
    rig = Rig(os.path.abspath(options.tenure),
              types.SimpleNamespace(seed=1, is_long=False, budget=0))
    try:
        rig.start()
        rig.run_sql("postgres", f"CREATE ROLE {LOGIN} LOGIN IN ROLE tenure_worker")
        if options.chaos:
            return chaos.run(rig, command or OURS, options.chaos)
        if options.broken:
            return run_broken(rig, options.broken)
        return run_cases_of(rig, command or OURS, options.only or list(CASES))
    finally:
        rig.stop()


def run_case(rig, command, name):
    """What was seen, and whether that is what was expected."""
    world = World(rig, command, name)
    try:
        return True, CASES[name](world)
    except Wrong as wrong:
        if os.environ.get("CONFORMANCE_LOGS"):
            for worker in world.workers:
                print(worker.log.decode("utf-8", "replace")[-3000:], file=sys.stderr)
        return False, str(wrong)
    finally:
        world.close()


def run_cases_of(rig, command, names):
    failed = 0
    for name in names:
        is_right, seen = run_case(rig, command, name)
        failed += not is_right
        print(f"{'✔' if is_right else '✘'} {name}: {seen}", flush=True)
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


def run_broken(rig, wanted):
    """Each broken worker does ordinary work, and fails the case that is meant for it."""
    folder, failed, count = f"{HERE}/broken", 0, 0
    names = sorted(file[:-3] for file in os.listdir(folder)
                   if file.endswith(".py") and file != "base.py")
    for name in names if wanted == "all" else wanted.split(","):
        command = [sys.executable, f"{folder}/{name}.py"]
        with open(command[1]) as file:
            case = file.read().split("Fails: ")[1].split(".")[0]
        works, ordinary = run_case(rig, command, "completes")
        passes, seen = run_case(rig, command, case)
        count += 1
        failed += passes or not works
        mark = "✔" if works and not passes else "✘"
        print(f"{mark} {name}: {case} {'passes' if passes else 'fails'}: {seen}"
              + ("" if works else f"; completes fails: {ordinary}"), flush=True)
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed else 0
