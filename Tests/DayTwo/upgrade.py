"""pg_upgrade, with jobs waiting and running: docs/operate/postgres-upgrade.md."""
import glob
import time

from load import AUDIT, Judge, Load
from page import Page
from place import Server, first_programs, wait_until

PAGE = "docs/operate/postgres-upgrade.md"
LEASE = 6

# What is left out or done wrong, and what has to be said of it.
MUTANTS = {
    "sequences": ("fence|generation", "the sequences are set back after the upgrade"),
    "twice": ("effects twice|there twice", "a job is in history twice"),
    "lost": ("lost", "an acknowledged job is deleted"),
}


def prepare(server, place):
    """A migrated database with a witness and a schedule, and programs at work on it."""
    server.query("CREATE DATABASE tenure", database="postgres")
    place.must(server.url(), "migrate", "up")
    server.query(AUDIT)
    place.must(server.url(), "schedule", "add", "pulse", "demo-sleep", "--every", "1s",
               "--payload", '{"seconds": 0, "tick": true}')


def crew(place, url, lease=LEASE, workers=2):
    started = [place.start(url, "worker", "--lease", f"{lease}s", "--queue", "default:12")
               for _ in range(workers)]
    return [*started, place.start(url, "coordinator", "--lease", f"{lease}s")]


def all_live(processes, say):
    for process in processes:
        if not process.lives:
            raise RuntimeError(f"a process has ended: {process.death}")
    say(f"{len(processes)} processes of the product lived through it")


def long_ones(load, server, count, seconds):
    """Jobs that run when the server stops."""
    jobs = [load.enqueue({"completed"}, {"seconds": seconds}) for _ in range(count)]
    if not wait_until(lambda: server.value(
            "SELECT count(*) FROM tenure.job WHERE state = 'running' AND id = ANY(%s::uuid[])",
            [jobs]) == count, 20):
        raise RuntimeError("the long jobs don't run")
    return jobs


def drained(server, seconds=120):
    rest = ("SELECT (SELECT count(*) FROM tenure.job WHERE state <> 'scheduled' OR run_at < now())"
            " || ' jobs and ' || (SELECT count(*) FROM tenure.batch WHERE ended_at IS NULL)"
            " || ' batches'")
    if not wait_until(lambda: server.value(rest) == "0 jobs and 0 batches", seconds):
        raise RuntimeError(f"not all ends within {seconds} s: {server.value(rest)} left")


def refused(place, say, options):
    """From a server whose minor release is newer than the new one's: it fails, and there is a way
    back on which nothing is lost."""
    old = Server(place, first_programs(), "newer-minor")
    old.make()
    old.start()
    prepare(old, place)
    if not old.value("SELECT EXISTS (SELECT FROM pg_attribute "
                     "WHERE attoptions::text LIKE '%%pg_attver%%')"):
        say("the system's PostgreSQL marks no columns: the way back was not tried")
        old.stop()
        return []
    page = Page(PAGE, place, options.without)
    names(page, old, Server(place, options.next, "older-minor", port=old.port))
    processes = crew(place, old.url())
    load = Load(old.url()).start()
    time.sleep(3)
    page.run("make")
    page.run("ask")
    page.run("stop")
    if "pg_attver" not in "".join(
            open(one).read() for one in failed_upgrade(page, f"{place.folder}/older-minor")):
        raise RuntimeError("the upgrade failed for another reason")
    page.run("back")
    old.wait_until_it_answers()
    time.sleep(2)
    load.end()
    drained(old)
    all_live(processes, lambda _: None)
    wrong = Judge(old, load).run()
    say(f"{old.value('SHOW server_version')} to an older minor release: refused, and back on the "
        f"old one {len(load.wanted)} jobs ended as they had to")
    for process in processes:
        process.stop()
    old.stop()
    return wrong


def failed_upgrade(page, home):
    page.run("upgrade", fails=True, seconds=300)
    return glob.glob(f"{home}/data/pg_upgrade_output.d/*/log/*.log")


def names(page, old, new):
    page.names("names", OLD_BIN=old.programs, OLD_DATA=old.data, NEW_BIN=new.programs,
               NEW_DATA=new.data)
    page.environment.update(PGHOST="127.0.0.1", PGPORT=str(old.port), PGDATABASE="tenure",
                            DATABASE_URL=old.url())


def run(place, say, options):
    back = refused(place, say, options) if not options.mutant else []
    page = Page(PAGE, place, options.without)
    page.used.add("back")
    old = Server(place, options.old, "old")
    old.make()
    old.start()
    prepare(old, place)
    new = Server(place, options.next, "new", port=old.port)
    names(page, old, new)
    processes = crew(place, old.url())
    load = Load(old.url()).start()
    time.sleep(6)
    page.run("make")
    page.run("ask")
    # More than the workers can do: jobs wait when the server stops.
    waiting = [load.enqueue({"completed"}, {"seconds": 0.1}) for _ in range(200)]
    running = long_ones(load, old, 6, 20)
    before = old.value("SELECT max(fence) FROM tenure.job")
    keys = old.value("SELECT count(*) FROM tenure.subject")
    begun = time.monotonic()
    page.run("stop", seconds=60)
    page.run("upgrade", seconds=300)
    time.sleep(max(0, 1.5 * LEASE - (time.monotonic() - begun)))  # longer than a lease
    page.run("start")
    new.wait_until_it_answers()
    away = time.monotonic() - begun
    answered = new.value("SELECT clock_timestamp()")
    if options.mutant == "sequences":
        new.query("SELECT setval('tenure.fence', 1), setval('tenure.generation', 1)")
    opened = time.monotonic()
    seen = new.value("SELECT count(*) FROM audit.ended")
    if not wait_until(lambda: new.value("SELECT count(*) FROM audit.ended") > seen, 60, 0.05):
        raise RuntimeError("no job ends on the new server")
    say(f"{away:.1f} s without a server; the first end {time.monotonic() - opened:.1f} s after "
        f"the new one answered; {len(waiting)} jobs waited, {len(running)} ran")
    page.run("analyze")
    all_live(processes, say)
    look = page.run("look", seconds=60)
    if "behind" in look:
        raise RuntimeError(f"numbers run backwards: {look}")
    version = place.run_tenure(new.url(), "doctor")[1]
    if f"PostgreSQL {new.value('SHOW server_version')}" not in version:
        raise RuntimeError(f"the doctor sees another server: {version}")
    time.sleep(3)
    load.end()
    drained(new)
    fences = new.value(
        "SELECT min(fence) FROM tenure.job_history WHERE claimed_at > %s", [answered])
    attempts = new.query("SELECT attempt, runs FROM tenure.job_history WHERE id = ANY(%s::uuid[])",
                         [running])
    say(f"of {len(running)} that ran, attempts {sorted(one for one, _ in attempts)}, "
        f"runs {sorted(one for _, one in attempts)}; {keys} keys came along")
    if options.mutant == "twice":
        new.query("INSERT INTO tenure.job_history SELECT * FROM tenure.job_history LIMIT 1")
    if options.mutant == "lost":
        new.query("DELETE FROM tenure.job_history WHERE id = %s", [waiting[0]])
    judge = Judge(new, load)
    wrong = back + judge.run()
    if fences is not None and fences <= before:
        wrong.append(f"fences go back: {fences} after {before}")
    wrong += page.untried()
    say(", ".join(f"{count} {name}" for name, count in judge.figures.items())
        + f"; producers were refused {dict(load.refusals)}, for {load.longest:.1f} s at most")
    return wrong
