"""The manifests' arguments, settings, probes and graces, the units', and the scaler's queries, on
the real binary with a real PostgreSQL."""
import os
import re
import signal
import subprocess
import sys
import time

import chart
import units
from postgres import free_port
from rig import PASSWORD, USER, Running, get
from tree import containers, name_of, pod, seconds


def job_migrates(tree, rig):
    """Twice: at the start, and with a release that brings nothing new."""
    name = rig.database()
    for _ in range(2):
        for container in containers(tree.migration.one("Job", "-migrate")):
            done = rig.run(container, tree.migration, name)
            if done.returncode != 0:
                yield f"{container['args']} ends with {done.returncode}: {done.stderr.strip()}"
                return


def pods_start(tree, rig):
    """With the very arguments and settings; each probe's and scrape's path answers."""
    database = rig.migrated(tree)
    for workload in tree.running.of("Deployment"):
        container, = containers(workload)
        running = rig.start(container, tree.running, database)
        probe = container["startupProbe"]
        if not running.wait_for(probe["httpGet"]["path"],
                                min(15, probe["periodSeconds"] * probe["failureThreshold"])):
            running.stop()
            yield f"{name_of(workload)} does not start: {running.log.strip()[-300:]}"
            continue
        if not running.wait_for(container["readinessProbe"]["httpGet"]["path"], 10):
            yield f"{name_of(workload)} is never ready"
        notes = workload["spec"]["template"]["metadata"]["annotations"]
        for path in (container["livenessProbe"]["httpGet"]["path"], notes["prometheus.io/path"]):
            status, text = get(running.port, path)
            if status != 200:
                yield f"{name_of(workload)} answers {path} with {status}: {text.strip()}"
        status, figures = get(running.port, "/metrics")
        alone = [name for name in ("tenure_queue_oldest_due_seconds", "tenure_database_up")
                 if f"# TYPE {name} " in figures]
        if bool(alone) != (container["args"] == ["coordinator"]):
            yield f"{name_of(workload)} shows {alone}, and coordinators alone should"
        if (code := running.stop()) != 0:
            yield f"{name_of(workload)} ends with {code}: {running.log.strip()[-300:]}"


def password_counts(tree, rig):
    """With the example's empty password nobody comes in."""
    database = rig.migrated(tree)
    container, = containers(tree.running.one("Deployment", "-worker"))
    environment = rig.environment(database, tree.running.settings(container), "crew", 0)
    environment["PGPASSWORD"] = tree.yaml(
        "deploy/kubernetes/secret.example.yaml")[0]["stringData"]["PGPASSWORD"]
    done = subprocess.run(rig.command(["migrate", "status"]), text=True, capture_output=True,
                          cwd="/", env=environment, timeout=30)
    if done.returncode != 2 or "password" not in done.stderr:
        yield f"ends with {done.returncode}: {done.stderr.strip()}"


def drain_is_orderly(tree, rig):
    """A worker with a job that goes on: alive and not ready meanwhile, at an end within the pod's
    grace, and the job is back with its attempt refunded."""
    database = rig.migrated(tree)
    workload = tree.running.one("Deployment", "-worker")
    container, = containers(workload)
    running = rig.start(container, tree.running, database, {"TENURE_DEMO_JOBS": "1"})
    ready, alive = (container[probe]["httpGet"]["path"]
                    for probe in ("readinessProbe", "livenessProbe"))
    try:
        running.wait_for(ready)
        rig.postgres.psql("SELECT tenure.enqueue('demo-sleep', '{\"seconds\": 300}')",
                          database=database)
        asked = "SELECT count(*) FROM tenure.job WHERE state = 'running'"
        for _ in range(100):
            if rig.postgres.psql(asked, database=database).stdout.strip() == "1":
                break
            time.sleep(0.1)
        begun = time.monotonic()
        running.child.terminate()
        given = pod(workload)["terminationGracePeriodSeconds"]
        grace = seconds(tree.running.settings(container)["TENURE_GRACE"])
        time.sleep(min(1, grace / 2))
        while time.monotonic() - begun < min(grace - 0.5, given):
            states = get(running.port, alive)[0], get(running.port, ready)[0]
            if states != (200, 503):
                yield f"{time.monotonic() - begun:.1f} s into its end {alive}, {ready} say {states}"
                break
            time.sleep(1)
        try:  # without a second SIGTERM, which would end the grace
            code = running.child.wait(max(0.1, given - (time.monotonic() - begun)))
        except subprocess.TimeoutExpired:
            code = None
        took = time.monotonic() - begun
        if code != 0:
            yield f"it was not at its end after {given} s, or failed: {code}"
        elif took < grace - 1:
            yield f"it gave the job {took:.1f} s, and TENURE_GRACE is {grace} s"
        left = rig.postgres.psql("SELECT state, attempt, refunds FROM tenure.job",
                                 database=database).stdout.strip()
        if left != "available|0|1":
            yield f"the job was not handed back: {left}"
        rig.drained = getattr(rig, "drained", f"{took:.1f} s of {given}")
    finally:
        running.stop(signal.SIGKILL)


def settings_are_known(tree, rig):
    """Each TENURE_… in manifests, chart and units is one that the binary reads."""
    file = rig.folder / "settings.json"
    file.write_text('{"nobodysSetting": 1}')
    file.chmod(0o644)
    said = subprocess.run(rig.command(["migrate", "status", "--config", str(file)]), text=True,
                          capture_output=True, cwd="/", timeout=30, env={"PATH": "/usr/bin:/bin"})
    listed = re.search(r"there are (.*)", said.stderr)
    names = re.findall(r"\w+", listed[1]) if listed else []
    known = {"TENURE_" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper() for name in names}
    source = tree.text("Sources/TenureCLI/Product/ContentSettings.swift")
    known |= {"TENURE_CONTENT_" + re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper() for name in
              re.findall(r'settings\.(?:text|whole|duration)\(\s*"(\w+)"', source)}
    given = {"deploy/systemd " + name: units.settings(tree, name) for name in units.UNITS}
    everything = {**tree.plain, "the chart": tree.chart(),
                  "the chart, with all of it": tree.chart(chart.OTHER_VALUES["all of it"])}
    for where, objects in everything.items():
        for workload in objects.workloads:
            for container in containers(workload):
                given[f"{where} {name_of(workload)}"] = objects.settings(container)
    for where, settings in given.items():
        for name in settings:
            if name.startswith("TENURE_") and name not in known:
                yield f"{where}: {name} is no setting"
            if not name.startswith(("TENURE_", "PG")):
                yield f"{where}: {name} is nobody's"


def queries_count(tree, rig):
    """What KEDA would ask, as the login that it would have."""
    database = rig.migrated(tree)
    triggers = tree.scaled.one("ScaledObject", "")["spec"]["triggers"]
    queries = [one["metadata"]["query"] for one in triggers]

    def ask():
        found = []
        for query in queries:
            said = subprocess.run(
                ["psql", "-XAtqc", query], text=True, capture_output=True, env={
                    "PATH": os.environ["PATH"], "PGHOST": "localhost", "PGUSER": "reader",
                    "PGPORT": str(rig.postgres.port), "PGDATABASE": database,
                    "PGPASSWORD": PASSWORD, "PGSSLMODE": "require"})
            found.append(said.stdout.strip() or said.stderr.strip())
        return found

    def do(*statements):
        rig.postgres.psql(*statements, database=database)

    def enqueue(more):
        return f"SELECT tenure.enqueue('scaled', '{{}}', {more})"
    steps = [
        ("with nothing", [], ["0", "0"]),
        ("with three due for two minutes, and two that aren't yet",
         [enqueue("run_at => now() - interval '2 min'")] * 3 + [enqueue("after => '1 h'")] * 2,
         ["3", "12."]),
        ("with ten more in two lanes", [enqueue("lane => 'a'")] * 5 + [enqueue("lane => 'b'")] * 5,
         ["5", "12."]),
        ("with others in another queue", [enqueue("queue => 'other'")] * 4, ["5", "12."]),
        ("paused", ["INSERT INTO tenure.queue (name, paused_at) VALUES ('default', now()) "
                    "ON CONFLICT (name) DO UPDATE SET paused_at = now()"], ["0", "0"]),
    ]
    for what, statements, wanted in steps:
        do(*statements)
        found = ask()
        if not all(re.fullmatch(one, other) for one, other in zip(wanted, found)):
            yield f"{what}: {found}, not {wanted}"


def units_start(tree, rig):
    """Under what the units say of system calls, and with the password in a file."""
    database, analyze = rig.migrated(tree), rig.tools.systemd_analyze()
    for name, role in zip(units.UNITS, ("worker", "coordinator")):
        given, port = units.unit(tree, name), free_port()
        login = units.settings(tree, name)["PGUSER"]
        password = rig.folder / f"{role}.pgpass"
        password.unlink(missing_ok=True)  # of another unit, and not to be written
        password.write_text(f"*:*:*:*:{PASSWORD.replace(':', chr(92) + ':')}\n")
        password.chmod(0o400)
        if os.geteuid() == 0:
            os.chown(password, USER, USER)
        settings = {key: value.replace("%d", str(rig.folder)).replace("%i", str(port))
                    .replace("pgpass", f"{role}.pgpass").replace("%H", "machine")
                    for key, value in units.settings(tree, name).items()}
        environment = rig.environment(database, settings, login, port)
        del environment["PGPASSWORD"]
        words = given["ExecStart"][0].split()[1:]
        running = Running(rig, [
            "setpriv", "--pdeathsig=KILL", sys.executable,
            os.path.join(os.path.dirname(__file__), "confine.py"), str(USER), str(analyze),
            *given["SystemCallFilter"], "--", str(rig.tenure), *words], port, environment)
        if not running.wait_for("/readyz", 20):
            yield f"{name} does not start: {running.log.strip()[-300:]}"
        code = running.stop(getattr(signal, given["KillSignal"][0]))
        if code != 0:
            yield f"{name} ends with {code}: {running.log.strip()[-300:]}"
        if "can't deny memory" in running.log:
            print("    (this kernel can't deny memory that is written and executed)")


CHECKS = {
    "each TENURE_… is a setting of the binary's": settings_are_known,
    "the Job migrates, and again": job_migrates,
    "pods start, and each probe's path answers": pods_start,
    "the example's password opens nothing": password_counts,
    "a worker ends in order within its pod's grace": drain_is_orderly,
    "the scaler's queries count what more workers would take": queries_count,
    "units start under their filters of system calls": units_start,
}
