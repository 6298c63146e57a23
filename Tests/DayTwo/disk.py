"""A disk that fills, under load: docs/operate/full-disk.md."""
import os
import subprocess
import time

from load import Judge, Load
from page import Page
from place import Server, first_programs, wait_until
from upgrade import all_live, crew, drained, prepare

PAGE = "docs/operate/full-disk.md"
LEASE = 6

MUTANTS = {
    "without-room": ("start: exit code 1|refused still", "no room is made"),
    "log-deleted": ("start: exit code 1|lost", "somebody deletes what is in pg_wal"),
    "lost": ("lost", "a job that was acknowledged is deleted"),
}


class SmallDisk:
    """A file system in an image, that can be filled to its last block."""

    def __init__(self, place, name, mebibytes):
        self.folder, image = place.make_folder(name), f"{place.folder}/{name}.img"
        with open(image, "wb") as file:
            file.truncate(mebibytes << 20)
        for command in (["mkfs.ext4", "-q", "-F", "-m", "0", image],
                        ["mount", "-o", "loop", image, self.folder]):
            subprocess.run(command, check=True)
        place.mounts.append(self.folder)
        os.unlink(image)  # the mount holds it
        place.give(self.folder)

    def fill(self):
        with open(f"{self.folder}/filler", "ab") as file:
            size, piece = 0, 64 << 20
            while piece >= 4096:
                try:
                    os.posix_fallocate(file.fileno(), size, piece)
                    size += piece
                except OSError:
                    piece //= 2

    def free(self):
        if os.path.exists(f"{self.folder}/filler"):
            os.unlink(f"{self.folder}/filler")


def told(place, server):
    """What a command gets: exit code and its line."""
    code, text = place.run_tenure(server.url(), "enqueue", "demo-sleep", "--payload",
                                  '{"seconds": 0, "pad": "' + os.urandom(50_000).hex() + '"}')
    return code, text


def fails(place, server, wrong, word, seconds=60):
    """Until a command is refused; it has to be by code 2 and one line that says why."""
    found = []

    def refused():
        found[:] = told(place, server)
        return found[0] != 0
    if not wait_until(refused, seconds, 0.1):
        raise RuntimeError("enqueues go on though the disk is full")
    code, text = found
    if code != 2 or len(text.splitlines()) != 1 or word not in text:
        wrong.append(f"tenure enqueue on a full disk: exit code {code}: {text[:400]}")
    return text


def goes_on(server, what, seconds=60):
    ended = server.value("SELECT count(*) FROM audit.ended")
    begun = time.monotonic()
    if not wait_until(lambda: server.value("SELECT count(*) FROM audit.ended") > ended, seconds,
                      0.05):
        raise RuntimeError(f"no job ends {what}")
    return time.monotonic() - begun


def data_is_full(place, server, page, disk, load, say, wrong):
    started = server.value("SELECT pg_postmaster_start_time()")
    page.environment.update(DISK=disk.folder)
    page.run("spare")
    disk.fill()
    text = fails(place, server, wrong, "53100")
    if not wait_until(lambda: load.refusals["53100"] > 2, 60):
        wrong.append(f"producers were not refused with 53100: {dict(load.refusals)}")
    time.sleep(6)
    code, looked = place.run_tenure(server.url(), "job", "list", "--limit", "1")
    if code != 0:
        wrong.append(f"tenure job list on a full disk: {code}: {looked}")
    page.run("look")
    page.run("room")
    disk_free = time.monotonic()
    if not wait_until(lambda: load.silent_since is None, 20):
        raise RuntimeError("producers are refused still")
    took = goes_on(server, "after room was made")
    if server.value("SELECT pg_postmaster_start_time()") != started:
        wrong.append("PostgreSQL has ended over a full disk of its data")
    say(f"data: {text[:160]}; refused {dict(load.refusals)}; room was made, an enqueue is taken "
        f"after {time.monotonic() - disk_free - took:.1f} s, a job ends after {took:.1f} s more")
    disk.free()


def log_is_full(place, server, page, disk, load, say, wrong, mutant):
    page.environment.update(DISK=disk.folder)
    page.run("spare")
    disk.fill()
    if not wait_until(lambda: not os.path.exists(f"{server.data}/postmaster.pid"), 90):
        raise RuntimeError("PostgreSQL goes on though the disk of its log is full")
    refused = load.refusals.copy()
    time.sleep(1.5 * LEASE)  # until no lease is left
    text = fails(place, server, wrong, "onnection")
    if "could not write to file \"pg_wal" not in server.log:
        wrong.append("PostgreSQL ended for another reason: " + server.log[-300:])
    page.run("look")
    if mutant == "log-deleted":
        folder = f"{disk.folder}/wal"
        for name in sorted(os.listdir(folder)):
            if len(name) == 24:
                os.unlink(f"{folder}/{name}")
    page.run("room")
    page.run("start", seconds=60)
    begun = time.monotonic()
    server.wait_until_it_answers()
    goes_on(server, "after the start")
    say(f"log: {text[:160]}; {sum((load.refusals - refused).values())} tries of the producer were "
        f"refused; a job ends {time.monotonic() - begun:.1f} s after the start")
    disk.free()


def run(place, say, options):
    if os.geteuid() != 0:
        return None
    page = Page(PAGE, place, options.without)
    data, log = SmallDisk(place, "data-disk", 400), SmallDisk(place, "log-disk", 300)
    server = Server(place, first_programs(), "server", data=f"{data.folder}/data")
    server.make("--waldir", f"{log.folder}/wal", max_wal_size="64MB", min_wal_size="32MB",
                wal_recycle="off")
    server.start()
    prepare(server, place)
    page.names("names", DATA=server.data, LOG=f"{server.home}/log", DISK="", SPARE="40M")
    page.environment.update(
        PGHOST="127.0.0.1", PGPORT=str(server.port), PGDATABASE="tenure",
        PATH=f"{server.programs}:{place.programs}:{os.environ['PATH']}")
    processes = crew(place, server.url(), LEASE)
    load = Load(server.url()).start()
    wrong = []
    time.sleep(4)
    data_is_full(place, server, page, data, load, say, wrong)
    time.sleep(2)
    log_is_full(place, server, page, log, load, say, wrong, options.mutant)
    page.run("keepers")
    page.run("largest")
    time.sleep(3)
    load.end()
    drained(server)
    all_live(processes, say)
    if options.mutant == "lost":
        server.query("DELETE FROM tenure.job_history WHERE id = %s", [next(iter(load.wanted))])
    judge = Judge(server, load)
    wrong += judge.run()
    wrong += page.untried()
    say(", ".join(f"{count} {name}" for name, count in judge.figures.items())
        + f"; the producer waited {load.longest:.1f} s at most")
    return wrong
