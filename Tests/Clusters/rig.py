"""The product's processes as a pod would have them, and a PostgreSQL for them. Only addresses,
ports and logins are other ones."""
import os
import pathlib
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request

from postgres import Postgres, free_port
from tree import containers

ROOT = pathlib.Path(__file__).resolve().parents[2]
USER = 10001
LOGINS = {"tenure-owner": "tenure_owner", "tenure-coordinator": "coordinator",
          "tenure-worker": "crew"}
PASSWORD = "can@ry/p:ss?"


def get(port, path):
    """The status, and the text."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=2) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return None, ""


class Rig:
    def __init__(self, tenure, tools):
        self.tools, self.number, self.postgres = tools, 0, Postgres().start()
        self.folder = self.postgres.folder
        # Where a user without rights can reach it.
        self.tenure = self.folder / "tenure"
        shutil.copy(tenure, self.tenure)
        self.tenure.chmod(0o755)
        self.make_logins()

    def make_logins(self):
        """As an administrator would, and one that reads besides."""
        self.postgres.run_file(ROOT / "deploy/logins.sql", {
            "OWNER_PASSWORD": PASSWORD, "COORDINATOR_PASSWORD": PASSWORD,
            "CREW_PASSWORD": PASSWORD})
        self.postgres.psql(
            f"CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}' IN ROLE tenure_reader")

    def database(self):
        """The first is the one that the logins came with."""
        self.number += 1
        if self.number == 1:
            return "tenure"
        self.postgres.psql(f"CREATE DATABASE tenure{self.number} OWNER tenure_owner")
        return f"tenure{self.number}"

    def environment(self, database, settings, login, port):
        """What the pod has, but for where things are on this machine."""
        given = {name: value for name, value in settings.items() if value is not None}
        here = {"PGHOST": "localhost", "PGPORT": str(self.postgres.port), "PGDATABASE": database,
                "PGSSLROOTCERT": str(self.postgres.ca), "PGUSER": login, "PGPASSWORD": PASSWORD,
                "TENURE_METRICS_HOST": "127.0.0.1", "TENURE_METRICS_PORT": str(port),
                "TENURE_NAME": "pod"}
        absent = set(here) - {*given, "PGUSER", "PGPASSWORD", "TENURE_NAME"}
        return {"PATH": os.environ["PATH"], "SWIFT_BACKTRACE": "enable=no", **given,
                **{name: value for name, value in here.items() if name not in absent}}

    def command(self, words):
        """As in the pod: no root, no capability, and none to come."""
        less = [f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--bounding-set=-all"]
        return ["setpriv", *(less if os.geteuid() == 0 else []), "--no-new-privs",
                "--pdeathsig=KILL", str(self.tenure), *words]

    def run(self, container, objects, database):
        login = next(one["secretRef"]["name"] for one in container["envFrom"] if "secretRef" in one)
        return subprocess.run(
            self.command(container["args"]), text=True, capture_output=True, cwd="/", timeout=120,
            env=self.environment(database, objects.settings(container), LOGINS[login], 0))

    def start(self, container, objects, database, more=None):
        login = next(one["secretRef"]["name"] for one in container["envFrom"] if "secretRef" in one)
        port = free_port()
        settings = {**objects.settings(container), **(more or {})}
        return Running(self, self.command(container["args"]), port,
                       self.environment(database, settings, LOGINS[login], port))

    def migrated(self, tree):
        """A database that the Job has migrated."""
        name = self.database()
        for container in containers(tree.migration.one("Job", "-migrate")):
            done = self.run(container, tree.migration, name)
            if done.returncode != 0:
                raise RuntimeError(f"{container['args']}: {done.stderr}")
        return name

    def stop(self):
        self.postgres.stop()


class Running:
    def __init__(self, rig, command, port, environment):
        rig.number += 1
        self.port, self.path = port, rig.folder / f"{rig.number}.log"
        with open(self.path, "wb") as log:
            self.child = subprocess.Popen(command, env=environment, cwd="/", stdout=log,
                                          stderr=log, stdin=subprocess.DEVNULL)

    @property
    def log(self):
        return self.path.read_text()

    def wait_for(self, path, limit=30):
        end = time.monotonic() + limit
        while time.monotonic() < end and self.child.poll() is None:
            status, _ = get(self.port, path)
            if status in (200, 404):
                return status == 200
            time.sleep(0.05)
        return False

    def stop(self, number=signal.SIGTERM, limit=15):
        """The exit code; None where it had to be killed."""
        if self.child.poll() is None:
            self.child.send_signal(number)
        try:
            return self.child.wait(limit)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            return None
