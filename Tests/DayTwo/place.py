"""Where a part happens: a folder, a user for servers, servers, processes of the product."""
import os
import pwd
import shutil
import subprocess
import tempfile
import threading

import psycopg
from rig import KEPT, Process, ends_with_us, free_port, wait_until

OWNER = "postgres"
DEBIAN = "/usr/lib/postgresql"


class Place:
    def __init__(self, tenure, part):
        self.folder = tempfile.mkdtemp(prefix=f"tenure-daytwo-{part}-")
        os.chmod(self.folder, 0o755)
        self.lock, self.number, self.processes, self.servers = threading.Lock(), 0, [], []
        self.as_user, self.user, self.mounts = [], None, []
        if os.geteuid() == 0:
            self.user = pwd.getpwnam(OWNER)
            self.as_user = ["setpriv", f"--reuid={self.user.pw_uid}",
                            f"--regid={self.user.pw_gid}", "--clear-groups"]
        # Where the server's user may write, and find the programs that the pages name.
        self.open_folder = self.make_folder("open")
        self.programs = self.make_folder("programs")
        self.tenure = f"{self.programs}/tenure"
        shutil.copy(tenure, self.tenure)
        os.chmod(self.tenure, 0o755)

    def make_folder(self, name):
        path = f"{self.folder}/{name}"
        os.makedirs(path)
        self.give(path)
        return path

    def give(self, path):
        if self.user:
            os.chown(path, self.user.pw_uid, self.user.pw_gid)

    def environ(self, more=None):
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        kept.update(
            HOME=self.open_folder, LANG="C.UTF-8", PGUSER=OWNER, SWIFT_BACKTRACE="enable=no",
            PATH=f"{self.programs}:{os.environ['PATH']}", TENURE_FOLDER=f"{self.folder}/none",
            TENURE_DEMO_JOBS="1")
        return {**kept, **(more or {})}

    # What Process asks of a rig.

    def add(self, process):
        self.processes.append(process)

    def next_number(self):
        with self.lock:
            self.number += 1
            return self.number

    def start(self, url, *words):
        """Starts `tenure WORDS…` on a database."""
        log = f"{self.folder}/tenure-{self.next_number()}-{words[0]}.log"
        return Process(self, [*ends_with_us(), self.tenure, *words],
                       self.environ({"DATABASE_URL": url}), log)

    def run_tenure(self, url, *words, seconds=60):
        """Its exit code, and what it printed."""
        done = subprocess.run([self.tenure, *words], env=self.environ({"DATABASE_URL": url}),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=seconds, cwd=self.folder)
        return done.returncode, done.stdout.strip()

    def must(self, url, *words):
        code, text = self.run_tenure(url, *words)
        if code != 0:
            raise RuntimeError(f"tenure {' '.join(words)}: {code}: {text}")
        return text

    def end(self, keep=False):
        for process in self.processes:
            try:
                process.kill()
            except (OSError, ValueError):
                pass  # it is gone
        for server in self.servers:
            server.stop("immediate")
        for folder in self.mounts:
            subprocess.run(["umount", "--lazy", folder], check=False)
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)


class Server:
    """A PostgreSQL of the place, on loopback and on a socket."""

    def __init__(self, place, programs, name, port=None, data=None):
        self.place, self.programs, self.name = place, programs, name
        self.home, self.environment = place.make_folder(name), {}
        self.data, self.port = data or f"{self.home}/data", port or free_port()
        place.servers.append(self)

    def call(self, program, *words, check=True, seconds=120):
        done = subprocess.run(
            [*self.place.as_user, f"{self.programs}/{program}", *words], text=True,
            stdout=subprocess.DEVNULL if program == "pg_ctl" else subprocess.PIPE,
            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=self.home,
            env=self.place.environ(self.environment), timeout=seconds)
        if check and done.returncode != 0:
            raise RuntimeError(f"{program} of {self.name}: {done.stdout or self.log[-800:]}")
        return done

    def make(self, *flags, **settings):
        self.call("initdb", "-D", self.data, "-U", OWNER, "-A", "trust", "-E", "UTF8",
                  "--locale=C.UTF-8", "--no-sync", *flags)
        settings = {"listen_addresses": "127.0.0.1", "port": self.port,
                    "unix_socket_directories": self.home, "max_connections": 100,
                    "shared_buffers": "64MB", "wal_level": "logical", **settings}
        with open(f"{self.data}/postgresql.auto.conf", "a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def start(self, *words, check=True):
        self.call("pg_ctl", "-D", self.data, "-l", f"{self.home}/log", "-w", *words, "start",
                  check=check)

    def stop(self, mode="fast"):
        if os.path.exists(f"{self.data}/postmaster.pid"):
            self.call("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop", check=False)

    @property
    def log(self):
        with open(f"{self.home}/log", errors="replace") as file:
            return file.read()

    def url(self, database="tenure"):
        return f"postgresql://{OWNER}@127.0.0.1:{self.port}/{database}"

    def connect(self, database="tenure"):
        return psycopg.connect(self.url(database), autocommit=True)

    def query(self, statement, parameters=None, database="tenure"):
        with self.connect(database) as connection:
            cursor = connection.execute(statement, parameters)
            return cursor.fetchall() if cursor.description else []

    def value(self, statement, parameters=None, database="tenure"):
        return self.query(statement, parameters, database)[0][0]

    def answers(self, database="tenure"):
        try:
            self.connect(database).close()
            return True
        except psycopg.OperationalError:
            return False

    def wait_until_it_answers(self, seconds=30):
        if not wait_until(self.answers, seconds):
            raise RuntimeError(f"{self.name} doesn't answer: {self.log[-500:]}")


def first_programs():
    """The oldest PostgreSQL of the system: the one to come from."""
    versions = sorted((one for one in os.listdir(DEBIAN) if one.isdigit()), key=int)
    return f"{DEBIAN}/{versions[0]}/bin"
