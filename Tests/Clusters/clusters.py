"""Runs the checks, then shows each of them something wrong."""
import pathlib
import shutil
import tempfile
import time

import alerts
import chart
import living
import manifests
import mutants
import rig as rigs
import units
from tools import Missing, Tools
from tree import Broken, Tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = {"manifests": manifests, "chart": chart, "units": units, "alerts": alerts,
         "living": living}
# What checks read: a copy is spoilt.
READ = ["deploy", "docs/operate", "docker-compose.yml", "Dockerfile",
        "Sources/HTTPTransport/Addresses/SpecialAddresses.swift",
        "Sources/TenureCLI/Product/ContentSettings.swift"]


class Report:
    passed = failed = skipped = 0

    def say(self, what, problems, took):
        if problems:
            self.failed += 1
            print(f"  ✘ {what}", *problems[:12], sep="\n      ", flush=True)
        else:
            self.passed += 1
            print(f"  ✔ {what}" + (f" ({took:.0f} s)" if took >= 1 else ""), flush=True)

    def skip(self, what, why):
        self.skipped += 1
        print(f"  – {what}: skipped, {why}", flush=True)


def problems_of(check, tree, rig):
    try:
        return list(check(tree, rig) if rig else check(tree))
    except (Broken, KeyError, RuntimeError, TypeError, ValueError) as error:
        return [f"{type(error).__name__}: {error}"]


def copy(folder):
    for one in READ:
        target = folder / one
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / one).is_dir():
            shutil.copytree(ROOT / one, target)
        else:
            shutil.copy(ROOT / one, target)


def show_wrong(mutant, check, tools, rig):
    """What is wrong when a check does not notice; nothing when it does."""
    with tempfile.TemporaryDirectory(prefix="tenure-clusters-") as folder:
        folder = pathlib.Path(folder)
        copy(folder)
        for path, old, new in mutant.changes:
            text = (folder / path).read_text()
            if old not in text:
                return [f"there is no {old!r} in {path} any more"]
            (folder / path).write_text(text.replace(old, new, 1))
        found = problems_of(check, Tree(folder, tools), rig)
        return [] if any(mutant.says in one for one in found) else [f"noticed: {found[:3]}"]


def run_part(name, part, tools, tenure, report):
    print(f"{name}:", flush=True)
    rig = None
    try:
        rig = rigs.Rig(tenure, tools) if part is living else None
        for what, check in part.CHECKS.items():
            begun = time.monotonic()
            try:
                # A tree for each, so that none is helped by what another has rendered.
                problems = problems_of(check, Tree(ROOT, tools), rig)
            except Missing as why:
                report.skip(what, why)
                continue
            report.say(what, problems, time.monotonic() - begun)
            for mutant in mutants.ALL.get(check.__name__, []):
                begun = time.monotonic()
                wrong = show_wrong(mutant, check, tools, rig)
                report.say(f"  notices: {mutant.what}", wrong, time.monotonic() - begun)
            if not mutants.ALL.get(check.__name__):
                report.say(f"  is shown something wrong: {check.__name__}", ["nothing"], 0)
        if rig and hasattr(rig, "drained"):
            print(f"  (its end took {rig.drained})")
    finally:
        if rig:
            rig.stop()


def check(tenure, cache, only):
    begun, report, tools = time.monotonic(), Report(), Tools(cache)
    names = only.split(",") if only else list(PARTS)
    for name in names:
        if name not in PARTS:
            print(f"--only {name}: there are {', '.join(PARTS)}")
            return 2
    for name in names:
        run_part(name, PARTS[name], tools, tenure, report)
    print(f"{time.monotonic() - begun:.0f} s")
    more = f", {report.skipped} skipped" if report.skipped else ""
    print(f"{report.passed} passed, {report.failed} failed{more}")
    return 1 if report.failed else 0
