"""A PostgreSQL on loopback that takes encrypted connections with a password and no others, as the
manifests expect one."""
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import tempfile
import time


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def find_programs():
    if given := os.environ.get("TENURE_POSTGRES_BIN"):
        return given
    if found := shutil.which("postgres"):
        return os.path.dirname(os.path.realpath(found))
    root = pathlib.Path("/usr/lib/postgresql")
    newest = max((one for one in root.iterdir() if one.name.isdigit()),
                 key=lambda one: int(one.name))
    return str(newest / "bin")


class Postgres:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tenure-clusters-"))
        self.folder.chmod(0o755)
        self.port, self.server = free_port(), None

    @property
    def ca(self):
        return self.folder / "ca.pem"

    def start(self):
        home, programs = self.folder / "postgres", find_programs()
        home.mkdir()
        self.make_certificate(home)
        user = []
        if os.geteuid() == 0:
            entry = next(pwd.getpwnam(one) for one in ("postgres", "nobody") if has_user(one))
            for one in (home, *home.iterdir()):
                os.chown(one, entry.pw_uid, entry.pw_gid)
            user = [f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]
        plain = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        subprocess.run(["setpriv", *user, f"{programs}/initdb", "-D", home / "data", "-U",
                        "postgres", "-A", "trust", "--no-sync"], check=True, env=plain, cwd=home,
                       stdout=subprocess.DEVNULL)
        (home / "data/pg_hba.conf").write_text(
            "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n")
        settings = {"listen_addresses": "127.0.0.1", "port": self.port, "ssl": "on",
                    "unix_socket_directories": home, "ssl_cert_file": home / "cert.pem",
                    "ssl_key_file": home / "key.pem", "shared_buffers": "64MB"}
        flags = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with open(self.folder / "log", "wb") as log:
            self.server = subprocess.Popen(
                ["setpriv", *user, "--pdeathsig=QUIT", f"{programs}/postgres", "-D", home / "data",
                 *flags], stdout=log, stderr=log, env=plain, cwd=home)
        for _ in range(100):
            if self.psql("SELECT 1", check=False).returncode == 0:
                return self
            time.sleep(0.1)
        raise RuntimeError(f"PostgreSQL did not start: {(self.folder / 'log').read_text()[-500:]}")

    def make_certificate(self, home):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
             "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout",
             home / "key.pem", "-out", home / "cert.pem"], check=True, capture_output=True)
        (home / "key.pem").chmod(0o600)
        shutil.copy(home / "cert.pem", self.ca)
        self.ca.chmod(0o644)

    def psql(self, *statements, database="postgres", check=True):
        words = [word for one in statements for word in ("-c", one)]
        return self.call_psql(["-d", database, *words], {}, check)

    def run_file(self, path, variables):
        return self.call_psql(["-d", "postgres", "-f", path], variables, True)

    def call_psql(self, words, variables, check):
        return subprocess.run(
            ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", self.folder / "postgres", "-p",
             str(self.port), "-U", "postgres", *words], text=True, check=check,
            capture_output=True, env={"PATH": os.environ["PATH"], **variables})

    def stop(self):
        if self.server and self.server.poll() is None:
            self.server.send_signal(3)  # SIGQUIT: at once
            self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def has_user(name):
    try:
        return bool(pwd.getpwnam(name))
    except KeyError:
        return False
