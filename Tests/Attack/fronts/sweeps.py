"""One bad row stops nothing else: rows poisoned by hand, then everything else still goes on.
And what operators and idempotent callers do twice happens once."""
import concurrent.futures
import json
import os
import uuid

import psycopg

from hostile import Hostile, page
from rig import wait_until

ENDED = ("completed", "discarded", "cancelled", "superseded")
LEASE = 3
SWEEP = 5
SLACK = 6  # seconds, for a machine that is busy


def job_row(**fields):
    """An INSERT of a job by hand."""
    row = {"id": str(uuid.uuid4()), "run_at": "now", "state": "available", "kind": "demo-sleep",
           "queue": "default", "payload": '{"seconds":0}', **fields}
    names = ", ".join(row)
    return (f"INSERT INTO tenure.job ({names}) VALUES ({', '.join('%s' for _ in row)})",
            list(row.values()))


def lane_of_ages(database):
    job = database.enqueue("demo-sleep", '{"seconds":0}', lane="ages")
    database.wait_for([job], 8)
    database.query("UPDATE tenure.lane SET min_interval = '294000 years' WHERE name = 'ages'")
    for _ in range(3):
        database.enqueue("demo-sleep", '{"seconds":0}', lane="ages")


def lane_of_negative_ages(database):
    lane_of_ages(database)
    database.query("UPDATE tenure.lane SET min_interval = '-178000000 years' WHERE name = 'ages'")


def row(**fields):
    return lambda database: database.query(*job_row(**fields))


def finished_at_infinity(database):
    job = database.enqueue("demo-sleep", '{"seconds":0}')
    database.wait_for([job], 8)
    database.query("UPDATE tenure.job_history SET created_at = '-infinity', run_at = 'infinity' "
                   "WHERE id = %s", [job])


def schedule(**fields):
    def poison(database):
        database.tenure("schedule", "add", "poisoned", "demo-sleep", "--every", "1s",
                        "--payload", '{"seconds":0}')
        for name, value in fields.items():
            try:
                database.query(f"UPDATE tenure.schedule SET {name} = %s", [value])
            except psycopg.errors.UndefinedColumn:
                pass  # another release's table
    return poison


def dead_session(database):
    database.query(
        "INSERT INTO tenure.session (lease, role, name, version, queues, beaten_at) VALUES "
        "('294000 years', 'worker', 'old', '1', '{default}', '-infinity'), "
        "('-1 day', 'worker', 'older', '1', '{default}', 'infinity')")


def claim_row(number, ids, made, claimed_at="now"):
    return lambda database: database.query(
        "INSERT INTO tenure.claim_row (number, session_id, claimed_at, queue, ids, made) "
        "VALUES (%s, 999999, %s, 'default', %s::text[]::uuid[], %s::text[]::timestamptz[])",
        [number, claimed_at, ids, made])


def batch(follow_up):
    def poison(database):
        run = str(uuid.uuid4())
        database.query("INSERT INTO tenure.batch (id, is_whole, follow_up) VALUES (%s, true, %s)",
                       [run, json.dumps(follow_up)])
        # Its last job: with it the worker itself finds the batch's end, as for any other.
        database.query(*job_row(batch_id=run))
    return poison


def follow_up(**fields):
    return [{"id": str(uuid.uuid4()), "kind": "demo-sleep", "queue": "default",
             "payload": {"seconds": 0}, **fields}]


def batch_into_ended_run(database):
    over = "00000000-0000-7000-8000-0000000000aa"
    database.query("INSERT INTO tenure.batch (id, is_whole, ended_at) VALUES (%s, true, now())",
                   [over])
    batch(follow_up(batch_id=over, run=over))(database)


# What is poisoned by hand, as the owner. Afterwards all of `GOES_ON` has to hold.
POISONS = {
    "a lane whose interval is 294000 years": lane_of_ages,
    "a lane whose interval is -178000000 years": lane_of_negative_ages,
    "a job due at infinity": row(run_at="infinity", state="scheduled"),
    "a job due at -infinity": row(run_at="-infinity"),
    "a job due at infinity that nobody knows": row(run_at="infinity", kind="unknown"),
    "a lane's job due at infinity": row(run_at="infinity", lane="far", state="scheduled"),
    "a job made at infinity": row(created_at="infinity", run_at="2099-01-01"),
    "a job that may not begin after -infinity": row(not_after="-infinity", run_at="2099-01-01"),
    "a job that has spent more than its attempts": row(attempt=99, max_attempts=1),
    "a job of 2^31-1 runs": row(runs=2147483647, refunds=2147483647, attempt=2147483647,
                                max_attempts=2147483647),
    "a job that runs in no session": row(state="running", fence=1, session_id=999999),
    "a job that waits for nobody": row(state="waiting"),
    "a claim row with holes": claim_row(7, [None, str(uuid.uuid4()), None], ["now"]),
    "a claim row of no session, at infinity": claim_row(
        9223372036854775000, [str(uuid.uuid4())], ["infinity"], "infinity"),
    "a claim row of nothing, at -infinity": claim_row(-5, [], [], "-infinity"),
    "a keyed job without its subject": row(key="lonely", generation=7),
    "a payload that isn't an object": row(payload='[[[[7]]]]'),
    "a payload of another version": row(payload_version=32767),
    "a held job without a reason": row(state="held"),
    "a finished job of infinity": finished_at_infinity,
    "a dead session whose lease is 294000 years": dead_session,
    "a batch whose follow-up has an unknown shape": batch({"a": 1}),
    "a batch whose follow-up has priority 99": batch(follow_up(priority=99)),
    "a batch whose follow-up has no kind": batch([{}]),
    "a batch by hand that is well": batch(follow_up()),  # to compare: it must harm nothing
    "a batch whose follow-up's id is taken": None,  # below: it needs an id
    "a batch whose follow-up belongs to a run that is over": batch_into_ended_run,
    "a batch whose follow-up has a delay and an expiry that is past": batch(follow_up(
        after="1 hour", not_after="2020-01-01T00:00:00Z")),
    "a schedule of cron nonsense": schedule(cron="99 99 99 99 99", every=None),
    "a schedule whose kind is empty": schedule(kind=""),
    "a schedule of 1 microsecond": schedule(every="1 microsecond"),
    "a schedule due at -infinity": schedule(next_at="-infinity"),
    "NOTIFY that fails": None}  # below: it ends in another database


def taken_id(database):
    job = database.enqueue("demo-sleep", '{"seconds":0}')
    database.wait_for([job], 8)
    pending = database.enqueue("demo-sleep", '{"seconds":0}', run_at="2099-01-01")
    batch([{**follow_up()[0], "id": job}, {**follow_up()[0], "id": pending}])(database)


def notify_fails(database):
    """As with a full queue of notifications: the transaction fails at its commit."""
    database.query(
        "CREATE TABLE public.notified (n int); GRANT ALL ON public.notified TO PUBLIC; "
        "CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE "
        "EXCEPTION 'too many notifications in the NOTIFY queue'; END $$; "
        "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON public.notified DEFERRABLE INITIALLY "
        "DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refuse(); "
        "ALTER FUNCTION pg_catalog.pg_notify(text, text) RENAME TO pg_notify_before")
    with database.connect() as connection:
        connection.execute(
            "CREATE FUNCTION pg_catalog.pg_notify(channel text, payload text) RETURNS void "
            "LANGUAGE sql AS 'INSERT INTO public.notified VALUES (1)'")


POISONS["a batch whose follow-up's id is taken"] = taken_id
POISONS["NOTIFY that fails"] = notify_fails


class Stand:
    def __init__(self, rig, front, name, web):
        self.rig, self.front, self.web = rig, front, web
        self.database = rig.database(f"sweeps_{rig.next_number()}")
        self.database.environment["TENURE_CONTENT_ALLOW"] = "127.0.0.0/8"

    # What goes on. Each returns what is wrong.

    def begin(self):
        """What is at work when the poison comes: a worker that will be killed, one that stays."""
        database = self.database
        self.victim = database.worker("--queue", "victims:4", "--name", "victim")
        self.held = [database.enqueue("demo-sleep", '{"seconds":1}', queue="victims")
                     for _ in range(3)]
        self.long = [database.enqueue("demo-sleep", '{"seconds":600}') for _ in range(2)]
        self.worker = database.worker("--queue", "default:10", "--queue", "victims:4")
        self.coordinator = database.start("coordinator", "--lease", "3s")
        wait_until(lambda: all(states == ["running"] for states in database.outcomes(
            self.held + self.long).values()), 10)

    def reclaim(self):
        self.victim.kill()
        found = self.database.wait_for(self.held, LEASE + SWEEP + SLACK + 4)
        return found and f"jobs of a killed worker after lease + sweep: {found}"

    def cancel(self):
        result = self.database.tenure("job", "cancel", self.long[0])
        found = result.code != 0 and str(result) or self.database.wait_for(
            self.long[:1], 10, ("cancelled",))
        return found and f"job cancel: {found}"

    def key(self):
        jobs = [self.database.enqueue("demo-sleep", '{"seconds":0}', key="k", mode=mode)
                for mode in ("superseding", "coalescing", "keeping")]
        found = self.database.wait_for(set(jobs), 10, ENDED)
        return found and f"a key's jobs: {found}"

    def lane(self):
        jobs = [self.database.enqueue("demo-sleep", '{"seconds":0}', lane="another")
                for _ in range(2)]
        found = self.database.wait_for(jobs, 10)
        return found and f"another lane's jobs: {found}"

    def expiry(self):
        job = self.database.enqueue("demo-sleep", '{"seconds":0}', queue="nobody",
                                    expires_in="1 second")
        found = self.database.wait_for([job], 10, ("discarded",))
        return found and f"an expired job: {found}"

    def schedules(self):
        result = self.database.tenure("schedule", "add", "good", "demo-sleep", "--every", "500ms",
                                      "--payload", '{"seconds":0}', "--queue", "ticks")
        found = wait_until(lambda: self.database.query(
            "SELECT 1 FROM tenure.job WHERE queue = 'ticks' UNION ALL "
            "SELECT 1 FROM tenure.job_history WHERE queue = 'ticks'"), 10)
        return "" if found else f"another schedule has not fired after 10 s: {result}"

    def batch(self):
        result = self.database.tenure("check", "--workers", "0", f"{self.web}/", "--allow",
                                      "127.0.0.0/8", seconds=25)
        return "" if result.code == 0 else f"another batch (tenure check): {result}"

    def bulk(self):
        jobs = [self.database.enqueue("demo-fail", '{"message":"no"}', max_attempts=1)
                for _ in range(3)]
        self.database.wait_for(jobs, 8, ("discarded",))
        result = self.database.tenure("job", "retry", "--all", "--state", "discarded", "--kind",
                                      "demo-fail")
        again = self.database.query("SELECT 1 FROM tenure.job WHERE kind = 'demo-fail' UNION ALL "
                                    "SELECT 1 FROM tenure.job_history WHERE kind = 'demo-fail'")
        return "" if result.code == 0 and len(again) == 6 else f"job retry --all: {result}"

    def goes_on(self, looks_at_trees):
        checks = [self.reclaim, self.cancel, self.key, self.lane, self.expiry, self.schedules,
                  self.bulk, lambda: self.database.canary(8), self.database.looks]
        if looks_at_trees:
            checks.append(self.batch)
        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            wrong = [problem for problem in threads.map(lambda check: check(), checks) if problem]
        wrong += [process.death for process in (self.worker, self.coordinator) if process.death]
        return wrong

    def end(self):
        for process in (self.victim, self.worker, self.coordinator):
            process.kill()


def poisoned(rig, front, names, web):
    """Several poisons that don't touch each other at once; alone when something is wrong."""
    stand = Stand(rig, front, names[0], web)
    try:
        stand.begin()
        for name in names:
            try:
                POISONS[name](stand.database)
            except psycopg.Error as error:
                front.passed(f"{name}: refused by the table itself", error)
                names = [one for one in names if one != name]
        if not names:
            return
        # Batches are looked at where something of a batch is poisoned, or nothing speaks.
        wrong = stand.goes_on(any("batch" in name or "NOTIFY" in name for name in names))
    finally:
        stand.end()
    if wrong and len(names) > 1:
        with concurrent.futures.ThreadPoolExecutor(3) as threads:
            list(threads.map(lambda name: poisoned(rig, front, [name], web), names))
        return
    for name in names:
        front.judge(name, "; ".join(wrong), "everything else goes on: reclaim, cancel, keys, "
                    "lanes, expiry, schedules, batches, bulk, looks", "everything else goes on")


# What is done twice.

def enqueued_twice(rig, front):
    database = rig.database("twice")
    worker = database.worker("--queue", "default:4")
    one = str(uuid.uuid4())

    def again():
        try:
            with database.connect() as connection:
                return str(connection.execute(
                    "SELECT job_id::text, result FROM tenure.enqueue('demo-sleep', "
                    "'{\"seconds\":0.5}', id => %s)", [one]).fetchone())
        except psycopg.Error as error:
            return f"{error.sqlstate} {error.diag.message_primary}"
    again()
    front.judge("one id enqueued twice while it is unfinished",
                "" if "kept" in (seen := again()) else seen, "kept", seen)
    database.wait_for([one], 8)
    seen = again()
    database.wait_for([one], 8)
    states = database.outcomes([one])[one]
    front.judge("one id enqueued again when it is over",
                "" if "kept" in seen and len(states) == 1 else f"{seen}; it ended {len(states)} "
                "times", "kept, and one row", f"{seen}, {states}")
    front.judge("the worker", worker.death, "lives")
    worker.stop()


def retried_twice(rig, front):
    database = rig.database("retries")
    worker = database.worker("--queue", "default:4")
    jobs = [database.enqueue("demo-fail", '{"message":"no route"}', max_attempts=1)
            for _ in range(3)]
    database.wait_for(jobs, 8, ("discarded",))
    worker.stop()
    counts = []
    for _ in range(3):
        database.tenure("job", "retry", "--all", "--state", "discarded")
        counts.append(database.query("SELECT count(*) FROM tenure.job")[0][0])
    front.judge("job retry --all, three times", "" if counts == [3, 3, 3] else
                f"3 jobs discarded, then {counts} new ones", "one new job for each")
    for verb in ("cancel", "discard"):
        database.enqueue("demo-sleep", '{"seconds":0}')
        result = database.tenure("job", verb, "--all")
        left = database.query("SELECT count(*) FROM tenure.job")[0][0]
        front.judge(f"job {verb} --all without a filter", "" if result.is_refusal and left else
                    f"{result}, {left} jobs left", "exit code 2 and one line, nothing done")


def claimed_ahead(rig, front):
    """A killed worker charges those that had begun: what it has slots for, and what had ended in
    the last round trip, whose slots others have had since and whose end nobody has written."""
    database = rig.database("ahead")
    slots, count = 8, 3000
    begun = 2 * slots
    with database.connect() as connection:
        connection.execute(
            "SELECT count(*) FROM (SELECT tenure.enqueue('demo-sleep', '{\"seconds\":0.05}', "
            "max_attempts => 1) FROM generate_series(1, %s)) AS e", [count])
    worker = database.worker("--queue", f"default:{slots}")
    wait_until(lambda: database.query("SELECT count(*) > 150 FROM tenure.job_history")[0][0], 30,
               0.02)
    with database.connect() as connection:  # while it has claimed
        wait_until(lambda: connection.execute("SELECT count(*) > %s FROM tenure.job WHERE state = "
                                              "'running'", [slots]).fetchone()[0], 5, 0.002)
        worker.kill()
    running = database.query("SELECT count(*) FROM tenure.job WHERE state = 'running'")[0][0]
    second = database.worker("--queue", "default:200")
    wait_until(lambda: not database.query("SELECT 1 FROM tenure.job LIMIT 1"), 40, 0.3)
    lost = database.query("SELECT count(*) FROM tenure.job_history "
                          "WHERE outcome = 'discarded'")[0][0]
    left = database.query("SELECT count(*) FROM tenure.job")[0][0]
    front.judge(f"kill -9 of a worker of {slots} slots that had claimed {running}",
                "" if lost <= begun and running and not left else
                f"{lost} of {count} jobs discarded although at most {begun} had begun; "
                f"{left} unfinished", f"at most {begun} are charged",
                f"{lost} discarded")
    second.stop()


def repeated_of_ended_run(rig, front):
    """A bulk retry in which one job's run is over."""
    database = rig.database("repeats")
    worker = database.worker("--queue", "default:4")
    jobs = [database.enqueue("demo-fail", '{"message":"no"}', max_attempts=1) for _ in range(4)]
    database.wait_for(jobs, 8, ("discarded",))
    run = str(uuid.uuid4())
    database.query("INSERT INTO tenure.batch (id, is_whole, ended_at) VALUES (%s, true, now())",
                   [run])
    database.query("UPDATE tenure.job_history SET batch_id = %s WHERE id = %s", [run, jobs[1]])
    worker.stop()
    result = database.tenure("job", "retry", "--all", "--state", "discarded")
    made = database.query("SELECT count(*) FROM tenure.job")[0][0]
    front.judge("job retry --all where one job's run is over", "" if made >= 3 else
                f"{made} new jobs; {result}", "the three others are retried, the one is told",
                result)


def run(rig, front):
    hostile = Hostile()
    web = hostile.add(lambda request, connection: page(b"<title>ok</title><p>well"))
    for attack in (enqueued_twice, retried_twice, claimed_ahead, repeated_of_ended_run):
        attack(rig, front)
    known = ["a lane whose interval is 294000 years", "a job due at infinity", "NOTIFY that fails"]
    batches = [name for name in POISONS if "batch" in name]
    others = [name for name in POISONS if name not in batches and name not in known]
    size = 4 if rig.is_long else 20
    groups = [[name] for name in known] + [batches] + [
        others[n:n + size] for n in range(0, len(others), size)]
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        list(threads.map(lambda group: poisoned(rig, front, group, web), groups))
    hostile.close()
    assert os.path.exists(rig.folder)
