"""A Docker engine for the test: the one that is there and can pull, or a private one."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Those that the product's own files begin with, under their exact tags.
IMAGES = re.findall(r"^FROM (\S+:\S+)|^ +image: (\S+:\S+)", "".join(
    (ROOT / name).read_text() for name in ("Dockerfile", "docker-compose.yml")), re.MULTILINE)
IMAGES = [docker or compose for docker, compose in IMAGES]
SKIPPED = 77
# What bin/setup has fetched, and what stays from one run to the next.
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "tenure"


class NoEngine(Exception):
    """Why nothing can be run here."""


def call(*command, check=True, **options):
    done = subprocess.run(
        [str(part) for part in command], cwd=ROOT, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, **options)
    if check and done.returncode != 0:
        raise SystemExit(f"✘ {' '.join(map(str, command))}\n{done.stdout[-2000:]}"
                         f"{done.stderr[-2000:]}")
    return done


def until(what, seconds, holds):
    """Waits. What a machine that stands still takes for one look doesn't count."""
    waited, last = 0, time.monotonic()
    while not holds():
        now = time.monotonic()
        waited, last = waited + min(now - last, 5), now
        if waited > seconds:
            raise SystemExit(f"✘ not within {seconds} s: {what}")
        time.sleep(0.5)


class Engine:
    """Images of a private one stay for the next run; what runs in it doesn't."""

    def __init__(self, private=False):
        self.process = None
        if shutil.which("docker") is None:
            raise NoEngine("there is no docker command")
        self.is_private = private or not self.can_pull()
        if self.is_private:
            self.start()
        v2 = call("docker", "compose", "version", check=False).returncode == 0
        if not v2 and shutil.which("docker-compose") is None:
            self.end()
            raise NoEngine("there is no docker compose")
        self.compose = ["docker", "compose"] if v2 else ["docker-compose"]

    @staticmethod
    def can_pull():
        def there(image):
            if call("docker", "image", "inspect", image, check=False).returncode == 0:
                return True
            return call("docker", "pull", "-q", image, check=False).returncode == 0
        if call("docker", "version", check=False).returncode != 0:
            return False
        return all(there(image) for image in IMAGES)

    def start(self):
        missing = [c for c in ("dockerd", "debootstrap") if shutil.which(c) is None]
        if os.geteuid() != 0:
            missing.append("root's rights")
        if missing:
            raise NoEngine("no engine here can pull images, and one of its own lacks "
                           + ", ".join(missing))
        data = CACHE / "docker"
        data.mkdir(parents=True, exist_ok=True)
        self.folder = tempfile.mkdtemp(prefix="tenure-docker-")
        socket = f"unix://{self.folder}/socket"
        with open(f"{self.folder}/log", "w") as log:
            self.process = subprocess.Popen(
                ["dockerd", "--host", socket, "--data-root", data, "--exec-root",
                 f"{self.folder}/exec", "--pidfile", f"{self.folder}/pid",
                 # Containers of one network need no rules, which would outlive the engine.
                 "--iptables=false", "--ip6tables=false", "--bridge=none"],
                stdout=log, stderr=log, start_new_session=True)
        os.environ["DOCKER_HOST"] = socket
        deadline = time.monotonic() + 120
        while call("docker", "version", check=False).returncode != 0:
            if self.process.poll() is not None or time.monotonic() > deadline:
                last = pathlib.Path(f"{self.folder}/log").read_text().strip().splitlines()[-1:]
                self.end()
                raise NoEngine("dockerd doesn't start: " + "".join(last))
            time.sleep(0.5)

    def end(self):
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=120)
        shutil.rmtree(self.folder, ignore_errors=True)
