"""A PostgreSQL whose every commit waits for a standby, and consoles that know both."""
import contextlib
import os
import pathlib
import re
import signal
import subprocess

import psycopg
from rig import Database, Rig, free_port, wait_until


class Both(Database):
    """Whoever connects takes the server that takes writes."""

    def url(self, user=None):
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.rig.ports)
        return (f"postgresql://{user or self.rig.owner}@{hosts}/{self.name}"
                "?target_session_attrs=read-write")


class Pair(Rig):
    """Both servers run until one is killed."""

    def start(self):
        self.settings["wal_retrieve_retry_interval"] = "500ms"
        self.standby = None
        super().start()
        self.ports = [self.port, free_port()]
        home = f"{self.folder}/standby"
        os.mkdir(home)
        if os.geteuid() == 0:
            os.chown(home, self.user().pw_uid, self.user().pw_gid)
        subprocess.run(
            ["setpriv", *self.as_user(), f"{self.programs()}/pg_basebackup", "--dbname",
             f"host=127.0.0.1 port={self.port} user={self.owner} application_name=standby",
             "--pgdata", f"{home}/data", "--write-recovery-conf", "--checkpoint=fast",
             "--no-sync"], check=True, env=self.clean(), cwd=home)
        self.standby = self.launch(home, self.ports[1])
        self.run_sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = 'standby'",
                     "SELECT pg_reload_conf()")
        if not wait_until(self.is_in_step, 20):
            raise RuntimeError("the standby doesn't follow")

    def is_in_step(self):
        with psycopg.connect(
                f"postgresql://{self.owner}@127.0.0.1:{self.port}/postgres") as connection:
            return connection.execute("SELECT count(*) FROM pg_stat_replication "
                                      "WHERE sync_state = 'sync'").fetchone()[0]

    def database(self, name):
        super().database(name)
        return Both(self, name)

    def database_at(self, name, port):
        """The same database, by another way."""
        database = Database(self, name)
        database.url = lambda user=None: (
            f"postgresql://{user or self.owner}@127.0.0.1:{port}/{name}")
        return database

    def pids(self):
        """The primary's processes, the first one first."""
        parents = {}
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                parents[int(path.parent.name)] = int(path.read_text().rsplit(")", 1)[1].split()[1])
        return [self.server.pid, *(pid for pid, of in parents.items() if of == self.server.pid)]

    def signal(self, number):
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    @contextlib.contextmanager
    def frozen(self):
        """The primary takes connections and answers nothing."""
        self.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.signal(signal.SIGCONT)

    def lose(self):
        """The primary's machine is gone."""
        self.signal(signal.SIGKILL)
        self.server.wait()

    def promote(self):
        with psycopg.connect(f"postgresql://{self.owner}@127.0.0.1:{self.ports[1]}/postgres",
                             autocommit=True) as connection:
            connection.execute("SELECT pg_promote(true, 60)")
        self.server, self.port, self.standby = self.standby, self.ports[1], None

    def stop(self):
        if self.standby:
            self.standby.kill()
            self.standby.wait()
        super().stop()


class Console:
    """One address, however often the process behind it is killed."""
    # People of a proxy's: they stay who they are when the process is another one.
    PROXY = ("--trust-header", "X-Remote-User", "--trusted-proxies", "127.0.0.1")

    def __init__(self, database, *words, **more):
        self.database, self.words, self.more = database, words, more
        self.port = free_port()
        self.root = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        self.web = self.database.start("web", "--port", str(self.port), *self.words, more=self.more)
        if not wait_until(lambda: b"console: http" in self.web.log or not self.web.lives, 20) \
                or not self.web.lives:
            raise RuntimeError(f"tenure web didn't start: {self.web.log[-500:]}")

    @property
    def link(self):
        """What lets one browser in, once."""
        return re.findall(rb"http://\S+/login/\w+", self.web.log)[-1].decode()
