"""One case's surroundings: a database of its own, workers under test, what is told of jobs."""
import json
import os
import signal
import time

from rig import KEPT, Process, ends_with_us, wait_until
from wire import Wire

LEASE = 3.0
TABLES = """
    CREATE SCHEMA conformance;
    CREATE TABLE conformance.event (
        n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job uuid, fence bigint, worker text,
        what text, at timestamptz NOT NULL DEFAULT clock_timestamp());
    CREATE TABLE conformance.effect (
        n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job uuid, fence bigint);
    GRANT USAGE ON SCHEMA conformance TO tenure_worker;
    GRANT SELECT, INSERT ON conformance.event, conformance.effect TO tenure_worker;
"""
LOGIN = "conformance"


class Wrong(Exception):
    """What was seen, and what was expected."""


def expect(seen, wanted, what):
    if seen != wanted:
        raise Wrong(f"{what}: {seen}, expected {wanted}")


class World:
    def __init__(self, rig, command, name):
        self.rig, self.command, self.workers, self.wires = rig, command, [], []
        self.database = rig.database(f"case_{name.replace('-', '_')}_{rig.next_number()}")
        self.query("SET client_min_messages = warning;" + TABLES)

    # Workers.

    def worker(self, name="ada", wire=None, slots=4, grace=10, poll=0.3, lease=LEASE, more=None,
               ready=True):
        port = wire.port if wire else self.rig.port
        url = f"postgresql://{LOGIN}@127.0.0.1:{{}}/{self.database.name}"
        environment = {key: os.environ[key] for key in KEPT if key in os.environ} | {
            "DATABASE_URL": url.format(port), "CONFORMANCE_URL": url.format(self.rig.port),
            "TENURE_QUEUE": "default", "TENURE_LEASE": str(lease), "TENURE_SLOTS": str(slots),
            "TENURE_GRACE": str(grace), "TENURE_POLL": str(poll), "TENURE_NAME": name,
            "PYTHONDONTWRITEBYTECODE": "1"} | (more or {})
        log = f"{self.rig.folder}/{self.database.name}-{self.rig.next_number()}.log"
        before = len(self.sessions())
        worker = Process(self.rig, [*ends_with_us(), *self.command], environment, log)
        worker.name = name
        self.workers.append(worker)
        if ready and not wait_until(
                lambda: len(self.sessions()) > before or not worker.lives, 20, 0.05):
            raise Wrong("the worker opened no session in 20 s")
        if not worker.lives:
            raise Wrong(f"the worker ended at its start: {worker.log[-300:]}")
        return worker

    def wire(self):
        self.wires.append(Wire(self.rig.port))
        return self.wires[-1]

    @staticmethod
    def freeze(worker):
        os.kill(worker.pid, signal.SIGSTOP)

    @staticmethod
    def thaw(worker):
        os.kill(worker.pid, signal.SIGCONT)

    def close(self):
        for worker in self.workers:
            worker.kill()
        for wire in self.wires:
            wire.close()

    # Jobs.

    def query(self, statement, parameters=None):
        return self.database.query(statement, parameters)

    def add(self, do, kind="script", payload=None, options=None, **script):
        script = {"do": do, **script} if payload is None else payload
        return self.database.enqueue(kind, json.dumps(script),
                                     **{"notify": True, **(options or {})})

    def state(self, job):
        return "+".join(self.database.outcomes([job])[job]) or "gone"

    def wait(self, job, wanted="completed", seconds=15):
        if not wait_until(lambda: self.state(job) == wanted, seconds, 0.05):
            raise Wrong(f"the job is {self.state(job)} after {seconds} s, expected {wanted}")

    @staticmethod
    def wait_for(found, what, seconds):
        if not wait_until(found, seconds, 0.05):
            raise Wrong(f"{what} is not there after {seconds} s")

    def told(self, job, what):
        """When handlers have said this of a job, by the database's clock."""
        return [row[0] for row in self.query(
            "SELECT extract(epoch FROM at)::float8 FROM conformance.event"
            " WHERE job = %s AND what LIKE %s ORDER BY n", [job, what])]

    def wait_told(self, job, what="begun", times=1, seconds=15):
        if not wait_until(lambda: len(self.told(job, what)) >= times, seconds, 0.05):
            raise Wrong(f"no handler has said “{what}” {times} times after {seconds} s")

    def reasons(self, job):
        return [row[0] for row in self.query(
            "SELECT what FROM conformance.event WHERE job = %s AND what LIKE 'stopped:%%'", [job])]

    def effects(self, job):
        return self.query("SELECT count(*) FROM conformance.effect WHERE job = %s", [job])[0][0]

    def attempt(self, job):
        return self.query(
            "SELECT attempt FROM tenure.job WHERE id = %s UNION ALL"
            " SELECT attempt FROM tenure.job_history WHERE id = %s", [job, job])[0][0]

    def reason(self, job):
        return self.query("SELECT reason FROM tenure.job_history WHERE id = %s", [job])[0][0]

    def sessions(self):
        return self.query("SELECT id, ended_at IS NULL, died, name FROM tenure.session ORDER BY id")

    def session(self, worker):
        return [row[0] for row in self.sessions() if row[1] and row[3] == worker.name][-1]

    def beaten_at(self, session):
        return self.query("SELECT extract(epoch FROM beaten_at)::float8 FROM tenure.session"
                          " WHERE id = %s", [session])[0][0]

    def wait_end(self, worker, seconds=15):
        if not wait_until(lambda: not worker.lives, seconds, 0.05):
            raise Wrong(f"the worker still runs after {seconds} s")
        return worker.child.poll()

    def pause(self, seconds):
        time.sleep(seconds)
