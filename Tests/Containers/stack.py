"""One project of docker compose, and the load on it."""
import os
import subprocess
import threading

from engine import call, until

PROJECT = f"tenuretest{os.getpid()}"


class Stack:
    def __init__(self, engine):
        self.command = engine.compose + [
            "-p", PROJECT, "-f", "docker-compose.yml", "-f", "Tests/Containers/compose.yml",
            "--profile", "standby", "--profile", "metrics"]
        # The service that takes writes.
        self.database = "postgres"

    def compose(self, *arguments, check=True):
        return call(*self.command, *arguments, check=check)

    def up(self, *services, workers):
        self.compose("up", "-d", "--no-build", "--scale", f"worker={workers}",
                     *(services or ("coordinator", "worker")))

    def ids(self, service, *options):
        """Asked of the engine: `compose ps` takes a second where time matters."""
        return call("docker", "ps", "-q", "--no-trunc", *options,
                    "--filter", f"label=com.docker.compose.project={PROJECT}",
                    "--filter", f"label=com.docker.compose.service={service}").stdout.split()

    def health(self, service):
        states = call("docker", "inspect", "-f", "{{.State.Health.Status}}", *self.ids(service),
                      check=False)
        return states.stdout.split()

    def ready(self, service, count, seconds=180):
        until(f"{count} of {service} are healthy", seconds,
              lambda: self.health(service) == ["healthy"] * count)

    def psql(self):
        """The command that reaches the database that takes writes; [] while none is there."""
        found = self.ids(self.database)
        return found and ["docker", "exec", "-i", found[0], "psql", "-U", "tenure", "-d", "tenure",
                          "-v", "ON_ERROR_STOP=1", "-Atq"]

    def sql(self, text):
        command = self.psql()
        if not command:
            raise SystemExit(f"✘ {self.database} is not there")
        return call(*command, "-c", text)

    def number(self, text):
        return int(self.sql(text).stdout or 0)

    def curl(self, url):
        return call("docker", "exec", self.ids("worker")[0], "curl", "-sS", "-m", "5", url).stdout


class Load(threading.Thread):
    """Enqueues until told to stop, and remembers what was acknowledged, and how it has to end.

    Ten jobs in a batch: one that outlasts a worker's grace, one that fails for good, one that the
    next batch supersedes while it runs, and the rest of up to a second."""
    batch = """
        SELECT job_id, CASE i WHEN 2 THEN 'discarded' WHEN 3 THEN 'superseded' ELSE 'completed' END
        FROM generate_series(1, 10) i, tenure.enqueue(
            CASE i WHEN 2 THEN 'demo-fail' ELSE 'demo-sleep' END,
            jsonb_build_object('seconds', CASE i WHEN 1 THEN 8 WHEN 3 THEN 600 ELSE random() END),
            key => CASE i WHEN 3 THEN 'standing' END,
            mode => CASE i WHEN 3 THEN 'superseding' END,
            max_attempts => CASE i WHEN 2 THEN 1 ELSE 25 END, notify => true);
        \\echo acknowledged
        """
    last = """
        SELECT job_id, 'completed' FROM tenure.enqueue(
            'demo-sleep', '{"seconds": 0}', key => 'standing', mode => 'superseding');
        \\echo acknowledged
        """

    def __init__(self, stack):
        super().__init__(daemon=True)
        self.stack, self.acknowledged, self.refused = stack, {}, 0
        self.over, self.is_complete = threading.Event(), False

    def run(self):
        psql = None
        while True:
            batch = self.last if self.over.wait(0.5) else self.batch
            if psql is None or psql.poll() is not None:
                psql = self.connect()
            if psql is None or not self.enqueue(psql, batch):
                self.refused += 1
            elif batch is self.last:
                break
        psql.stdin.close()
        self.is_complete = True

    def connect(self):
        command = self.stack.psql()
        return command and subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True) or None

    def enqueue(self, psql, batch):
        """One statement, one transaction: acknowledged as a whole or not."""
        found = {}
        try:
            psql.stdin.write(batch)
            psql.stdin.flush()
            for line in psql.stdout:
                if line.strip() == "acknowledged":
                    self.acknowledged.update(found)
                    return True
                job, end = line.strip().split("|")
                found[job] = end
        except (BrokenPipeError, ValueError):
            pass  # it was killed, maybe in the middle of a line
        psql.kill()
        return False

    def end(self):
        self.over.set()
        self.join(timeout=60)
