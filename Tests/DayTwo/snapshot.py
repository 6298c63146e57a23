"""A table that grows under an open snapshot: docs/operate/held-snapshot.md."""
import time

import psycopg
from load import new_id
from machine_clock import MachineClock
from page import Page
from place import Server, first_programs, wait_until
from psycopg.types.json import Jsonb

PAGE = "docs/operate/held-snapshot.md"
JOBS, PORTION = 120_000, 15_000
MINUTES = 7

MUTANTS = {
    "without-end": ("reindex: no end", "it is vacuumed and reindexed under the open snapshot"),
    "without-vacuum": ("dead rows", "nobody vacuums"),
    "fresh": ("doctor says nothing of.*transactions", "the transaction is not old"),
}


def drain(place, server):
    """Jobs a second, of a portion that waits when the worker may begin. It is looked for the last
    of them alone: a count of what is left would itself read all dead rows."""
    job, last = {"kind": "demo-sleep", "payload": {"seconds": 0}}, new_id()
    place.must(server.url(), "queue", "pause", "default")
    with server.connect() as connection:
        begun = connection.execute("SELECT clock_timestamp()").fetchone()[0]
        for _ in range(PORTION // 1000):
            connection.execute("SELECT count(*) FROM tenure.enqueue_jobs(%s)",
                               [Jsonb([job] * 1000)])
        connection.execute("SELECT tenure.enqueue('demo-sleep', id => %s, priority => 9)", [last])
    place.must(server.url(), "queue", "resume", "default")
    if not wait_until(lambda: server.value(
            "SELECT count(*) FROM tenure.job_history WHERE id = %s", [last]), 180, 0.2):
        raise RuntimeError("a portion of jobs doesn't end within 180 s")
    return server.value(
        "SELECT count(*) / extract(epoch FROM max(finished_at) - min(claimed_at)) "
        "FROM tenure.job_history WHERE created_at > %s", [begun])


def sizes(page):
    """MiB of the table of jobs and of its indexes, as the page's query shows them."""
    for line in page.run("sizes").splitlines():
        name, live, dead, table, indexes, _ = line.split("|")
        if name == "job":
            return int(dead), int(table), int(indexes)
    raise RuntimeError("the page's query of sizes doesn't show tenure.job")


def doctor(place, server):
    """Its lines on what this is about, by their names."""
    code, text = place.run_tenure(server.url(), "doctor")
    lines = dict(line[6:].split(": ", 1) for line in text.splitlines() if ": " in line)
    levels = {line[6:].split(": ", 1)[0]: line[:4].strip() for line in text.splitlines()}
    return {name: (levels[name], lines[name]) for name in ("transactions", "dead rows")}


def run(place, say, options):
    page = Page(PAGE, place, options.without)
    server = Server(place, first_programs(), "server")
    server.make(autovacuum_naptime="10min", max_prepared_transactions=2)
    clock = MachineClock(place.folder)
    server.environment = clock.environment
    server.start()
    server.query("CREATE DATABASE tenure", database="postgres")
    place.must(server.url(), "migrate", "up")
    page.environment.update(PGHOST="127.0.0.1", PGPORT=str(server.port), PGDATABASE="tenure")
    worker = place.start(server.url(), "worker", "--lease", "10s", "--queue", "default:50")
    wrong = []
    drain(place, server)
    first = drain(place, server)
    before = sizes(page)
    if levels := [name for name, (level, _) in doctor(place, server).items() if level != "ok"]:
        wrong.append(f"the doctor warns before anything happened: {levels}")
    # Reads once, and is forgotten.
    holder = server.connect()
    holder.autocommit = False
    holder.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    holder.execute("SELECT count(*) FROM tenure.job")
    rates = [drain(place, server) for _ in range(JOBS // PORTION)]
    if options.mutant != "fresh":
        clock.set(MINUTES * 60)
    time.sleep(4)
    peak = sizes(page)
    found = doctor(place, server)
    for name, word in (("transactions", "open for long"), ("dead rows", "in job")):
        level, text = found[name]
        if level != "warn" or word not in text:
            wrong.append(f"the doctor says nothing of {name}: {level} {text}")
    first_holder = page.run("holders").splitlines()[0].split("|")[0]
    if first_holder != str(holder.info.backend_pid):
        wrong.append(f"the page's query names {first_holder} as the oldest holder")
    with server.connect() as other:
        other.execute("BEGIN; CREATE TABLE public.tried (); PREPARE TRANSACTION 'forgotten'")
        if "prepared forgotten" not in page.run("others"):
            wrong.append("the page's query doesn't show a prepared transaction")
        other.execute("ROLLBACK PREPARED 'forgotten'")
    if wrong:
        return wrong  # what follows would wait for the holder
    ended = page.run("end")
    if not options.without and str(holder.info.backend_pid) not in ended:
        wrong.append("the page's statement doesn't end the holder")
    page.run("vacuum")
    vacuumed = sizes(page)
    page.run("reindex", seconds=60)
    small = sizes(page)
    after = drain(place, server)
    for name, (level, text) in doctor(place, server).items():
        if level != "ok":
            wrong.append(f"the doctor still warns of {name}: {text}")
    if vacuumed[0] > 10_000:
        wrong.append(f"{vacuumed[0]} dead rows are still there")
    if small[2] * 2 > max(2, peak[2]):
        wrong.append(f"the indexes are still large: {small[2]} of {peak[2]} MiB")
    if rates[-1] < rates[0] / 3:
        wrong.append(f"claims walk over dead rows: {rates[-1]:.0f} jobs/s of {rates[0]:.0f}")
    if not worker.lives or server.value("SELECT count(*) FROM tenure.session WHERE died"):
        wrong.append("the worker lost its lease")
    wrong += page.untried()
    say("tenure.job, dead rows and MiB of table and indexes: before {}, after {:,} jobs {}, "
        "vacuumed {}, reindexed {}".format(before, JOBS, peak, vacuumed, small))
    say(f"jobs/s: before {first:.0f}, under the snapshot "
        + " ".join(f"{rate:.0f}" for rate in rates) + f", after {after:.0f}")
    return wrong
