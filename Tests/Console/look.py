"""Fills a queue, serves the console and has it looked at; Tests/Console/run starts it."""
import argparse
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
for folder in (HERE, HERE.parent / "Attack", HERE.parent / "Reports"):
    sys.path.insert(0, str(folder))
sys.dont_write_bytecode = True
from playwright.sync_api import sync_playwright  # noqa: E402

import described  # noqa: E402
import outages  # noqa: E402
import pages as reports  # noqa: E402
import people  # noqa: E402
import strangers  # noqa: E402
import walk  # noqa: E402
from world import World  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    for name in ("--tenure", "--browser"):
        parser.add_argument(name, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--screenshots", type=pathlib.Path)
    given = parser.parse_args()
    world = World(given.tenure)
    wrong = []
    begun = time.monotonic()
    try:
        world.fill()
        web, port, link = world.serve()
        paths = walk.paths(world)
        wrong += strangers.judge(world, port, paths)
        print(f"  strangers: {len(wrong)} wrong, {time.monotonic() - begun:.0f} s")
        wrong += described.judge(port, paths)
        with sync_playwright() as playwright:
            browser = walk.Walker(playwright, given, port, link)
            wrong += browser.look(paths, given.work)
            door, port_of_door = people.start(world, "--log-in", "role")
            wrong += browser.door(port_of_door, given.work)
            door.stop()
            print(f"  axe: {browser.violations} violations in {browser.looks} looks")
            found, errors, warnings = reports.nu(sorted(given.work.glob("page-*.html")))
            wrong += found
            print(f"  Nu: {errors} errors, {warnings} warnings")
            wrong += browser.act(world)
            wrong += browser.live(world)
            wrong += outages.judge(given.tenure, browser.browser)
            browser.close()
        wrong += people.judge(world)
        if web.death:
            wrong.append(web.death)
    finally:
        world.stop()
    for line in wrong[:50]:
        print(f"  ✘ {line}")
    print(f"{len(wrong)} wrong, {time.monotonic() - begun:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
