"""Back to a moment, beside workers that nobody stopped: docs/operate/point-in-time.md."""
import os
import shutil
import signal
import time

import psycopg
from load import Judge, Load
from page import Page
from place import Server, first_programs, wait_until
from upgrade import all_live, crew, drained, prepare

PAGE = "docs/operate/point-in-time.md"
LEASE = 6
LATE = "TN001"

MUTANTS = {
    "without-mend": ("late result counted", "nobody mends what was restored"),
    "later": ("from after the moment", "it is restored to a later moment than was said"),
    "without-archive": ("aside: exit code 1", "the log was never kept"),
}
HELD = "SELECT id::text, fence FROM tenure.job WHERE queue = 'later' AND state = 'running'"


def numbers(server):
    """The largest of each kind that was given."""
    return server.query("SELECT (SELECT last_value FROM tenure.fence), "
                        "(SELECT last_value FROM tenure.generation), "
                        "(SELECT last_value FROM tenure.session_id_seq)")[0]


def finish_late(server, job, fence):
    """What an outside program of the later time gets for its result; no code: it counted."""
    try:
        server.query("SELECT tenure.finish(%s, %s)", [job, fence])
        return None
    except psycopg.Error as error:
        return error.sqlstate


def judge_numbers(server, place, later, held, mutant):
    """What the programs of the later time hold must be nobody else's."""
    job, fence = held[0]
    if mutant == "without-mend":  # what comes sooner or later, now
        place.must(server.url(), "queue", "pause", "default")
        time.sleep(2)
        server.query("SELECT setval('tenure.fence', %s)", [fence - 1])
        place.start(server.url(), "worker", "--lease", f"{LEASE}s", "--queue", "later:1")
        place.must(server.url(), "queue", "resume", "later")
        wait_until(lambda: server.query(HELD), 20, 0.02)
        place.must(server.url(), "queue", "resume", "default")
    wrong = []
    if any(now <= then for now, then in zip(numbers(server), later)):
        wrong.append(f"numbers are given again: {numbers(server)} after {later}")
    if (code := finish_late(server, job, fence)) != LATE:
        wrong.append(f"a late result counted: {code}")
    return wrong


def run(place, say, options):
    page = Page(PAGE, place, options.without)
    server = Server(place, first_programs(), "server")
    server.make(wal_level="replica")
    server.start()
    prepare(server, place)
    archive = place.make_folder("archive")
    backup = f"{place.open_folder}/base"
    page.environment.update(
        PGHOST=server.home, PGPORT=str(server.port), PGDATABASE="tenure",
        PATH=f"{server.programs}:{place.programs}:{os.environ['PATH']}")
    page.names("names", DATA=server.data, BACKUP=backup, ARCHIVE=archive, MOMENT="")
    page.run("archive")
    server.stop()
    server.start()
    processes = crew(place, server.url(), LEASE, workers=1)
    # It takes what waits for after the moment, and nothing else.
    frozen = place.start(server.url(), "worker", "--lease", f"{LEASE}s", "--queue", "later:4")
    processes.append(frozen)
    kept = Load(server.url()).start()
    time.sleep(3)
    page.run("backup", seconds=90)
    time.sleep(3)
    place.must(server.url(), "queue", "pause", "later")
    waits = [kept.enqueue({"completed"}, {"seconds": 4}, queue="later") for _ in range(2)]
    kept.end()
    time.sleep(1)
    moment = str(server.value("SELECT clock_timestamp()"))
    page.environment["MOMENT"] = moment if options.mutant != "later" else str(
        server.value("SELECT clock_timestamp() + interval '6 s'"))
    time.sleep(1)
    lost = Load(server.url()).start()
    late_worker = place.start(server.url(), "worker", "--lease", f"{LEASE}s")
    processes.append(late_worker)
    time.sleep(4)
    place.must(server.url(), "queue", "resume", "later")
    if not wait_until(lambda: len(server.query(HELD)) == len(waits), 20, 0.05):
        raise RuntimeError("the jobs of the later time don't run")
    held = server.query(HELD)
    frozen.child.send_signal(signal.SIGSTOP)
    time.sleep(3)
    later, told = numbers(server), list(lost.wanted)
    # The producer isn't stopped either; what it was told after the moment is gone.
    page.run("stop", seconds=60)
    page.run("restore", seconds=90)
    aside = {"PGPORT": "5999"}
    page.run("aside", seconds=90)
    page.run("mend", **aside)
    page.run("open", seconds=60)
    server.wait_until_it_answers()
    wrong = judge_numbers(server, place, later, held, options.mutant)
    frozen.child.send_signal(signal.SIGCONT)
    place.run_tenure(server.url(), "queue", "resume", "later")
    there = {one for one, in server.query(
        "SELECT id::text FROM tenure.job UNION SELECT id::text FROM tenure.job_history")}
    if here := [job for job in told if job in there]:
        wrong.append(f"{len(here)} jobs from after the moment are there")
    time.sleep(6)
    lost.end()
    again = Load(server.url()).start()
    time.sleep(5)
    again.end()
    drained(server)
    all_live(processes, say)
    opened = [one.log.count(b"session opened") for one in processes]
    say(f"{len(processes)} processes had {opened} sessions; of {len(told)} jobs acknowledged after "
        f"the moment {sum(job in there for job in told)} are there")
    for one in (kept, again):
        judge = Judge(server, one)
        wrong += judge.run()
    fences = server.query("SELECT id::text, fence FROM tenure.job_history "
                          "WHERE id = ANY(%s::uuid[])", [waits])
    stale = dict(held)
    if any(fence <= later[0] for _, fence in fences):
        wrong.append(f"a job of the later time ended by its old fence: {fences}, {stale}")
    wrong += page.untried()
    say(f"restored to {moment}: {len(kept.wanted)} jobs of before are there, each ended once; "
        f"numbers were at {later} and go on from {numbers(server)}")
    return wrong
