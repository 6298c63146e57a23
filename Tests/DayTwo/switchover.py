"""A switchover by logical replication: docs/operate/switchover.md."""
import threading
import time

from load import Judge, Load
from page import Page
from place import Server, first_programs, wait_until
from upgrade import all_live, crew, drained, long_ones, prepare

PAGE = "docs/operate/switchover.md"
LEASE = 15

MUTANTS = {
    "without-identity": ("lanes stand still.*replica identity",
                         "tables without a primary key are published as they are"),
    "without-caught-up": ("lost|connection", "the new one is opened before the last row is there"),
    "without-sequences": ("look: exit code 1.*behind", "the sequences are forgotten"),
    "blind": ("fences are given twice.*ended as they should not.*fences of more than one job",
              "the sequences are forgotten, and nobody looks"),
    "fix": ("23505|duplicate key", "restore check --fix alone, in place of the sequences"),
    "open": ("no job ends on the new|lost", "the old server is not closed"),
}
WITHOUT_KEY = """
    SELECT DISTINCT coalesce(r.relname, c.relname) FROM pg_class c
    LEFT JOIN pg_class r ON r.oid = pg_partition_root(c.oid)
    WHERE c.relnamespace IN ('tenure'::regnamespace, 'content'::regnamespace)
      AND c.relkind IN ('r', 'p')
      AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)"""


def lanes_go_on(server, load):
    job = load.enqueue({"completed"}, {"seconds": 0}, lane="l0")
    return wait_until(lambda: server.value(
        "SELECT count(*) FROM tenure.job_history WHERE id = %s", [job]) == 1, 15)


def slow_down(new, seconds):
    """The new server can't write for a while: it is behind when the old one is closed."""
    connection = new.connect("tenure_next")
    connection.execute("BEGIN; LOCK TABLE tenure.job IN EXCLUSIVE MODE")
    threading.Timer(seconds, connection.close).start()


def given_twice(old, new, opened):
    """Numbers that the new server gave again."""
    wrong = []
    for what, given, statement in (
            ("fences", "tenure.fence",
             "SELECT min(fence) FROM tenure.job_history WHERE claimed_at"),
            ("generations", "tenure.generation",
             "SELECT min(generation) FROM tenure.job_history WHERE created_at"),
            ("sessions", "tenure.session_id_seq",
             "SELECT min(id) FROM tenure.session WHERE started_at")):
        last = old.value(f"SELECT last_value FROM {given}")
        first = new.value(f"{statement} > %s", [opened])
        if first is not None and first <= last:
            wrong.append(f"{what} are given twice or backwards: {first} after {last}")
    return wrong


def run(place, say, options):
    page = Page(PAGE, place, options.without)
    old = Server(place, first_programs(), "old")
    old.make()
    old.start()
    prepare(old, place)
    new = Server(place, options.next, "new")
    new.make()
    new.start()
    at = "host=127.0.0.1 user=postgres port={} dbname={}"
    page.names("names", OLD=at.format(old.port, "tenure"), NEW=at.format(new.port, "tenure_next"),
               NEW_ADMIN=at.format(new.port, "postgres"), SCHEMAS="tenure, content, audit")
    for name in {one for one, in old.query(WITHOUT_KEY)}:
        known = name.startswith(("job_history", "attempt_error"))  # "history and its errors"
        if not known and f"`{name}`" not in page.text:
            raise RuntimeError(f"the page doesn't name {name}, which has no primary key")
    both = (f"postgresql://postgres@127.0.0.1:{old.port},127.0.0.1:{new.port}/tenure"
            "?target_session_attrs=read-write&connect_timeout=3")
    processes = crew(place, both, LEASE)
    load = Load(both).start()
    time.sleep(4)
    for pattern in ("a/*", "b/*"):
        place.must(both, "links", "ignore", pattern, "--reason", "tried")
    page.run("level")
    page.run("tables")
    page.run("identity")
    copying = time.monotonic()
    page.run("subscribe")
    page.run("copied", seconds=180)
    copying = time.monotonic() - copying
    if not lanes_go_on(old, load):
        logs = b"".join(one.log for one in processes).decode("utf-8", "replace")
        found = [line for line in logs.splitlines() if "replica identity" in line]
        raise RuntimeError(f"lanes stand still on the old server: {(found or ['-'])[0][-300:]}")
    # A partition that the old one makes meanwhile is none of the new one's.
    old.query("SELECT tenure.prepare_history(w, 9) FROM unnest(ARRAY['job_history_ended', "
              "'job_history_discarded', 'attempt_error']) w")
    running = long_ones(load, old, 6, 6)
    place.must(both, "lane", "hold", "l2", "--for", "1s", "--reason", "tried")
    sessions = {one for one, in old.query("SELECT id FROM tenure.session WHERE ended_at IS NULL")}
    time.sleep(2)
    slow_down(new, 2)
    time.sleep(0.5)
    begun = time.monotonic()
    if options.mutant != "open":
        page.run("close")
    page.run("caught-up")
    if options.mutant == "fix":
        place.must(at.format(new.port, "tenure_next"), "restore", "check", "--fix")
    elif options.mutant != "blind":
        page.run("sequences")
        page.run("look")
    page.run("open")
    closed = time.monotonic() - begun
    opened, at_once = new.value("SELECT clock_timestamp()"), time.monotonic()
    here = "server = (SELECT system_identifier::text FROM pg_control_system())"
    ended_here = f"SELECT count(*) FROM audit.ended WHERE {here}"
    if not wait_until(lambda: new.value(ended_here) > 0, 20, 0.05):
        logs = b"".join(one.log for one in processes).decode("utf-8", "replace").splitlines()
        raise RuntimeError("no job ends on the new server: "
                           + "; ".join(line for line in logs if "23505" in line)[-300:])
    say(f"{copying:.1f} s to copy; closed for {closed:.1f} s; the first end on the new server "
        f"{time.monotonic() - at_once:.1f} s after it was opened")
    time.sleep(5)
    all_live(processes, say)
    load.end()
    drained(new)
    # Who comes new gets a session, and a rule its row, by the new server's numbers.
    late = place.start(both, "worker", "--lease", f"{LEASE}s")
    wrong = []
    if not wait_until(lambda: b"session opened" in late.log, 10):
        wrong.append(f"a new worker gets no session: {late.log[-300:].decode()}")
    wrong += given_twice(old, new, opened)
    code, text = place.run_tenure(both, "links", "ignore", "c/*", "--reason", "tried")
    if code != 0:
        wrong.append(f"tenure links ignore: {code}: {text}")
    if options.mutant != "open":
        old.stop()
    kept = {one for one, in new.query("SELECT id FROM tenure.session WHERE ended_at IS NULL")}
    attempts = new.query("SELECT attempt, runs FROM tenure.job_history WHERE id = ANY(%s::uuid[])",
                         [running])
    say(f"{len(sessions & kept)} of {len(sessions)} sessions went on; of {len(running)} jobs that "
        f"ran, attempts {sorted(one for one, _ in attempts)}, runs "
        f"{sorted(one for _, one in attempts)}")
    judge = Judge(new, load)
    wrong += judge.run()
    code, text = place.run_tenure(both, "doctor", "--quiet")
    say(f"the doctor: {code} {text}")
    wrong += page.untried()
    say(", ".join(f"{count} {name}" for name, count in judge.figures.items())
        + f"; producers were refused {dict(load.refusals)}, for {load.longest:.1f} s at most")
    return wrong
