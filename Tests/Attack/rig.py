"""A PostgreSQL of one's own, a database for each front, the product's real processes."""
import json
import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time

import psycopg

# What a Swift program says when it ends by itself, not by its own will.
CRASHES = re.compile(r"Fatal error|Illegal instruction|Crash:|💣|overflow|Segmentation")
# Of the surroundings the product takes nothing but what is given to it here.
KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "XDG_CACHE_HOME", "TZ")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def ends_with_us(signal="KILL"):
    """What a command is begun with so that it ends when this program does, however."""
    return ["setpriv", f"--pdeathsig={signal}"]


def wait_until(condition, seconds, pause=0.1):
    """The condition's first true value, or its last one when the time is over."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value or time.monotonic() > end:
            return value
        time.sleep(pause)


class Result:
    def __init__(self, code, out, err, took):
        self.code, self.out, self.err, self.took = code, out, err, took

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def text(self):
        return self.out.decode("utf-8", "replace")

    @property
    def errors(self):
        return self.err.decode("utf-8", "replace").strip()

    @property
    def is_refusal(self):
        """Code 2, and one line that says why."""
        return self.code == 2 and len(self.errors.splitlines()) == 1

    def __str__(self):
        return f"exit code {self.code} after {self.took:.1f} s: {self.errors or self.text}"


class Process:
    """A process of the product that goes on until it is stopped."""

    def __init__(self, rig, command, environment, log):
        self.rig, self.log_path = rig, log
        self.log_file = open(log, "wb")
        self.child = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=self.log_file,
            stderr=subprocess.STDOUT, cwd=rig.folder)
        rig.add(self)

    @property
    def pid(self):
        return self.child.pid

    @property
    def lives(self):
        return self.child.poll() is None

    @property
    def log(self):
        with open(self.log_path, "rb") as file:
            return file.read()

    @property
    def death(self):
        """How it ended although nobody stopped it; nothing while it lives."""
        if self.lives and not CRASHES.search(self.log.decode("utf-8", "replace")):
            return ""
        lines = self.log.decode("utf-8", "replace").splitlines()
        crash = [line for line in lines if CRASHES.search(line)]
        return f"the process ended with {self.child.poll()}: {(crash or lines or [''])[-1][:300]}"

    @property
    def cpu(self):
        """Seconds of CPU so far."""
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, seconds=15):
        """Asks it to end; its exit code, or None when it had to be killed."""
        if self.lives:
            self.child.terminate()
        try:
            code = self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return None
        self.log_file.close()
        return code

    def kill(self):
        if self.lives:
            self.child.kill()
        self.child.wait()
        self.log_file.close()


class Database:
    """One database of the server, migrated, and the product's commands on it."""

    def __init__(self, rig, name):
        self.rig, self.name, self.environment = rig, name, {"TENURE_DEMO_JOBS": "1"}

    def url(self, user=None):
        return f"postgresql://{user or self.rig.owner}@127.0.0.1:{self.rig.port}/{self.name}"

    def connect(self, user=None, **options):
        options.setdefault("autocommit", True)
        return psycopg.connect(self.url(user), **options)

    def query(self, statement, parameters=None, user=None):
        with self.connect(user) as connection:
            cursor = connection.execute(statement, parameters)
            return cursor.fetchall() if cursor.description else []

    def environ(self, user=None, more=None):
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        return {**kept, "DATABASE_URL": self.url(user), "TENURE_FOLDER": f"{self.rig.folder}/none",
                "SWIFT_BACKTRACE": "enable=no",  # a crash ends at once
                **self.environment, **(more or {})}

    def tenure(self, *words, user=None, more=None, seconds=30, given=None):
        begun = time.monotonic()
        try:
            done = subprocess.run(
                [*ends_with_us(), self.rig.tenure, *words], env=self.environ(user, more),
                capture_output=True, input=given, timeout=seconds, cwd=self.rig.folder,
                stdin=None if given is not None else subprocess.DEVNULL)
            code, out, err = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired as late:
            code, out, err = None, late.stdout or b"", (late.stderr or b"") + b" (no end)"
        return Result(code, out, err, time.monotonic() - begun)

    def start(self, *words, user=None, more=None, before=(), log=None):
        """Starts `tenure WORDS…`; `before` is what the command line begins with."""
        path = f"{self.rig.folder}/{self.name}-{self.rig.next_number()}.log"
        return Process(self.rig, [*ends_with_us(), *before, self.rig.tenure, *words],
                       self.environ(user, more), log or path)

    def worker(self, *words, user=None, more=None, before=(), lease="3s", ready=True,
               listens=False):
        """One that listens looks by itself only every 30 s: enqueues have to notify it."""
        looks = () if listens else ("--no-listen", "--poll", "250ms")
        worker = self.start("worker", "--lease", lease, *looks, *words, user=user, more=more,
                            before=before)
        if ready:
            wait_until(lambda: b"session opened" in worker.log or not worker.lives, 15, 0.05)
        return worker

    # What is told of jobs.

    def enqueue(self, kind, payload="{}", user=None, **parameters):
        """By the SQL function; the job's id. Without a notification: some fronts break those."""
        parameters.setdefault("notify", False)
        names = "".join(f", {name} => %({name})s" for name in parameters)
        with self.connect(user) as connection:
            return connection.execute(
                f"SELECT job_id::text FROM tenure.enqueue(%(of_kind)s, %(json)s::jsonb{names})",
                {"of_kind": kind, "json": payload, **parameters}).fetchone()[0]

    def outcomes(self, ids):
        """Of each id where it is: the state of an unfinished job, or every outcome in history."""
        found = {one: [] for one in ids}
        for one, state in self.query(
                "SELECT id::text, state::text FROM tenure.job WHERE id = ANY(%s::uuid[]) UNION ALL "
                "SELECT id::text, outcome::text FROM tenure.job_history WHERE id = ANY(%s::uuid[])",
                [list(ids), list(ids)]):
            found[one].append(state)
        return found

    def wait_for(self, ids, seconds, wanted=("completed",)):
        """Waits for jobs to end; what is wrong with them then."""
        ids = list(ids)

        def wrong():
            return [f"{one} {'+'.join(states) or 'is gone'}"
                    for one, states in self.outcomes(ids).items()
                    if len(states) != 1 or states[0] not in wanted]
        wait_until(lambda: not wrong(), seconds, 0.15)
        return "; ".join(wrong()[:4])

    def canary(self, seconds=10, **parameters):
        """Whether the queue goes on: an ordinary job ends in time."""
        try:
            problem = self.wait_for([self.enqueue("demo-sleep", '{"seconds":0}', **parameters)],
                                    seconds)
        except psycopg.Error as error:
            return f"an ordinary enqueue fails: {error}"
        return problem and f"an ordinary job has not ended after {seconds} s: {problem}"

    def looks(self, *more):
        """Whether what people look at still answers; `more` are further commands."""
        commands = [("job", "list"), ("job", "list", "--finished", "--limit", "500"),
                    ("queue", "list"), ("stats",), ("doctor",), ("worker", "list"),
                    ("kind", "list"), *more]
        for words in commands:
            result = self.tenure(*words)
            # The doctor may find something, with its line; the others have to do it.
            fits = result.code in (0, 1) or words == ("doctor",) and result.out
            if not fits or CRASHES.search(result.errors):
                return f"tenure {' '.join(words)}: {result}"
        return ""


class Rig:
    """Everything that has to be gone at the end."""

    owner = "postgres"

    def __init__(self, tenure, options):
        self.tenure, self.options, self.seed = tenure, options, options.seed
        self.lock, self.number, self.processes = threading.Lock(), 0, []
        self.folder, self.server, self.is_stopping = None, None, False
        self.settings = {}  # of the server, beside the usual ones
        self.making = threading.Lock()

    @property
    def is_long(self):
        return self.options.is_long

    @property
    def budget(self):
        return self.options.budget

    def next_number(self):
        with self.lock:
            self.number += 1
            return self.number

    def add(self, process):
        with self.lock:
            self.processes.append(process)
        if self.is_stopping:
            process.kill()

    def start(self):
        self.folder = tempfile.mkdtemp(prefix="tenure-attack-")
        os.chmod(self.folder, 0o755)
        self.port = free_port()
        self.server = self.start_server(f"{self.folder}/postgres", self.port)
        self.run_sql("postgres", "CREATE DATABASE template_tenure")
        template = Database(self, "template_tenure")
        for words in (("migrate", "up"), ("roles", "--apply")):
            result = template.tenure(*words)
            if result.code != 0:
                raise RuntimeError(f"tenure {' '.join(words)}: {result}")

    def start_server(self, home, port, before=()):
        """PostgreSQL in a folder, on loopback and on a socket there, as somebody who isn't root."""
        os.mkdir(home)
        if os.geteuid() == 0:
            entry = self.user()
            os.chown(home, entry.pw_uid, entry.pw_gid)
        subprocess.run(
            ["setpriv", *self.as_user(), f"{self.programs()}/initdb", "-D", f"{home}/data", "-U",
             self.owner, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
            check=True, stdout=subprocess.DEVNULL, env=self.clean(), cwd=home)
        return self.launch(home, port, before)

    def launch(self, home, port, before=()):
        """The server of a folder that has its data."""
        settings = {
            "listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": home,
            "max_connections": 200, "log_min_messages": "warning", "shared_buffers": "64MB",
            "max_prepared_transactions": 4, **self.settings}
        flags = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with open(f"{home}/log", "ab") as log:
            server = subprocess.Popen(
                [*ends_with_us("QUIT")[:1], *self.as_user(), *ends_with_us("QUIT")[1:], *before,
                 f"{self.programs()}/postgres", "-D", f"{home}/data", *flags],
                stdout=log, stderr=log, env=self.clean(), cwd=home)
        # A recovery syncs each file of the data first: half a minute was seen beside a build.
        for _ in range(1200):
            try:
                psycopg.connect(
                    f"postgresql://{self.owner}@127.0.0.1:{port}/postgres").close()
                return server
            except psycopg.OperationalError:
                if server.poll() is not None:
                    break
                time.sleep(0.1)
        with open(f"{home}/log") as log:
            raise RuntimeError(f"PostgreSQL did not start: {log.read()[-500:]}")

    def crash(self):
        """The server is gone from one moment to the next."""
        self.server.kill()
        self.server.wait()

    def restart(self):
        self.server = self.launch(f"{self.folder}/postgres", self.port)

    @staticmethod
    def clean():
        return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}

    def programs(self):
        return os.environ.get("TENURE_POSTGRES_BIN") or self.find_programs()

    def user(self):
        return pwd.getpwnam(next(one for one in ("postgres", "nobody") if self.has_user(one)))

    def as_user(self):
        if os.geteuid() != 0:
            return []
        entry = self.user()
        return [f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]

    @staticmethod
    def has_user(name):
        try:
            return bool(pwd.getpwnam(name))
        except KeyError:
            return False

    @staticmethod
    def find_programs():
        found = shutil.which("postgres")
        if found:
            return os.path.dirname(os.path.realpath(found))
        roots = "/usr/lib/postgresql"
        versions = sorted((one for one in os.listdir(roots) if one.isdigit()), key=int)
        return f"{roots}/{versions[-1]}/bin"

    def run_sql(self, database, *statements):
        with psycopg.connect(
                f"postgresql://{self.owner}@127.0.0.1:{self.port}/{database}",
                autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def database(self, name):
        with self.making:  # nobody else may be connected to a template
            self.run_sql("postgres", f"CREATE DATABASE {name} TEMPLATE template_tenure")
        database = Database(self, name)
        # The template's grants to PUBLIC on the database itself aren't copied; roles are.
        return database

    def kill(self):
        with self.lock:
            processes = list(self.processes)
        for process in processes:
            try:
                process.kill()
            except (OSError, ValueError):
                pass  # it is gone

    def stop(self):
        self.kill()
        if self.server and self.server.poll() is None:
            self.server.send_signal(3)  # SIGQUIT: at once
            try:
                self.server.wait(10)
            except subprocess.TimeoutExpired:
                self.server.kill()
                self.server.wait()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
