"""The systemd units: whether systemd reads them whole, how much they leave open, and whether they
agree with the manifests."""
import json
import pathlib
import re
import shutil
import tempfile

from manifests import LAST_WORDS
from tools import call
from tree import containers, seconds

UNITS = {"tenure-worker@.service": "tenure-worker@9465.service",
         "tenure-coordinator.service": "tenure-coordinator.service"}
OPEN = 20  # tenths of systemd's exposure level, of 100
MEMORY = {"1G": "1Gi", "256M": "256Mi"}


def unit(tree, name):
    """Its lines by key: a key may stand there several times."""
    found = {}
    for line in tree.text(f"deploy/systemd/{name}").splitlines():
        if match := re.match(r"(\w+)=(.*)", line):
            found.setdefault(match[1], []).append(match[2])
    return found


def settings(tree, name):
    found = {}
    for line in unit(tree, name)["Environment"]:
        found.update(word.split("=", 1) for word in line.split())
    for path in unit(tree, name)["EnvironmentFile"]:
        found.update(example(tree, pathlib.Path(path).name))
    return found


def example(tree, name):
    lines = tree.text(f"deploy/systemd/{name}.example").splitlines()
    return dict(line.split("=", 1) for line in lines if re.match(r"\w+=", line))


class Root:
    """A file system with these units, systemd's own targets and a program of that name."""

    def __init__(self, tree):
        self.folder = tempfile.TemporaryDirectory(prefix="tenure-units-")
        root = pathlib.Path(self.folder.name)
        own, systems = root / "etc/systemd/system", root / "usr/lib/systemd/system"
        for one in (own, systems, root / "usr/local/bin"):
            one.mkdir(parents=True)
        for name in UNITS:
            shutil.copy(tree.root / "deploy/systemd" / name, own)
        for pattern in ("*.target", "*.slice"):
            for one in pathlib.Path("/usr/lib/systemd/system").glob(pattern):
                shutil.copy(one, systems, follow_symlinks=False)
        program = root / "usr/local/bin/tenure"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)

    def __enter__(self):
        return pathlib.Path(self.folder.name)

    def __exit__(self, *_):
        self.folder.cleanup()


def systemd_reads_them(tree):
    with Root(tree) as root:
        read = call(tree.tools.systemd_analyze(), "verify", "--man=no", f"--root={root}",
                    *UNITS.values())
        # What it doesn't know it says, and leaves out; the exit code is 0.
        if read.returncode != 0 or (read.stdout + read.stderr).strip():
            yield (read.stdout + read.stderr).replace(str(root), "").strip()[-400:]


def little_is_open(tree):
    with Root(tree) as root:
        for name in UNITS.values():
            read = call(tree.tools.systemd_analyze(), "security", "--offline=true",
                        f"--root={root}", f"--threshold={OPEN}", "--json=short", name)
            if read.returncode != 0:
                opened = [one["name"] for one in json.loads(read.stdout)
                          if not one["set"] and float(one["exposure"] or 0) >= 0.2]
                yield f"{name}: more than {OPEN / 10} of 10: {', '.join(opened)[:300]}"


def they_agree(tree):
    """With the manifests, and with what the binary has."""
    for name, role in zip(UNITS, ("worker", "coordinator")):
        workload = tree.running.one("Deployment", f"-{role}")
        container = containers(workload)[0]
        others, mine, given = (tree.running.settings(container), settings(tree, name),
                               unit(tree, name))
        if given["ExecStart"] != [f"/usr/local/bin/tenure {' '.join(container['args'])}"]:
            yield f"{name}: starts {given['ExecStart']}"
        if given["Type"] != ["exec"]:
            yield f"{name}: the binary does not notify systemd"
        if given["KillSignal"] != ["SIGTERM"] or given["Restart"] != ["on-failure"]:
            yield f"{name}: {given['KillSignal']}, {given['Restart']}"
        time = seconds(given["TimeoutStopSec"][0])
        wanted = (seconds(mine.get("TENURE_GRACE", 0))
                  + seconds(mine.get("TENURE_LEASE", "30s")) / 6 + LAST_WORDS)
        if time < wanted:
            yield f"{name}: {time:g} s to stop, and {wanted:g} are needed"
        if MEMORY.get(given["MemoryMax"][0]) != container["resources"]["limits"]["memory"]:
            yield f"{name}: MemoryMax {given['MemoryMax']}"
        if "PGPASSWORD" in mine or not given.get("LoadCredential"):
            yield f"{name}: the password is in the environment"
        # Here the certificate lies elsewhere, and a worker's port is its instance's name.
        for key in {*mine, *others} - {"PGUSER", "TENURE_NAME", "PGSSLROOTCERT",
                                       "TENURE_METRICS_HOST", "TENURE_LOG_FORMAT", "PGPASSFILE",
                                       *(["TENURE_METRICS_PORT"] if role == "worker" else [])}:
            one, other = mine.get(key), others.get(key)
            if one != other and (key, other) != ("TENURE_LEASE", "30s"):
                yield f"{name}: {key} is {one}, in Kubernetes {other}"


CHECKS = {
    "systemd reads the units whole": systemd_reads_them,
    f"systemd finds at most {OPEN / 10} of 10 open": little_is_open,
    "the units agree with the manifests": they_agree,
}
