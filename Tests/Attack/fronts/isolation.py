"""Callers' transactions of every isolation level, beside workers whose jobs end in every way.

First each way in which a key's job may end between a transaction's snapshot and its enqueue, one by
one; then many callers at random. A caller whose keys nobody else touches is never refused; what was
acknowledged ends; no key stands still."""
import collections
import random
import socket
import threading
import time
import uuid

import psycopg

from rig import wait_until

LEVELS = ("READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE")
MODES = {
    "superseding": {"mode": "superseding"},
    "no overlap": {"mode": "superseding", "overlap": False},
    "coalescing": {"mode": "coalescing"},
    "keeping": {"mode": "keeping"},
    "debounced": {"mode": "debounced", "after": "100 ms", "max_wait": "1 s"},
}
# How the key's job ends, while a transaction that has seen it running is open.
ENDS = ("completed", "discarded", "cancelled", "superseded", "retried")
# (level, where it is set, how many callers)
MIXES = (
    ("READ COMMITTED", "in the statement", 6), ("REPEATABLE READ", "in the statement", 6),
    ("SERIALIZABLE", "in the statement", 6), ("mixed", "in the statement", 8),
    ("REPEATABLE READ", "as the role's default", 4), ("SERIALIZABLE", "as the role's default", 4),
    ("REPEATABLE READ", "as the database's default", 6),
    ("SERIALIZABLE", "as the database's default", 6))
KEYS = 8  # that callers share
FINAL = ("completed", "discarded", "cancelled", "superseded")
RETRIED = ("40001", "40P01")


def call(cursor, kind, payload, **parameters):
    """The enqueue as other languages make it: (id, what became of it)."""
    names = "".join(f", {name} => %({name})s" for name in parameters)
    typed = names.replace("%(after)s", "%(after)s::interval").replace(
        "%(max_wait)s", "%(max_wait)s::interval")
    row = cursor.execute(
        f"SELECT job_id::text, result FROM tenure.enqueue(%(of)s, %(json)s::jsonb{typed})",
        {"of": kind, "json": payload, **parameters}).fetchone()
    return row[0], row[1]


def end_running(database, job, key, how):
    """Ends a running job as one of ENDS says, and waits until it is seen to be over."""
    if how in ("completed", "discarded"):
        fence = database.query("SELECT fence FROM tenure.job WHERE id = %s", [job])[0][0]
        database.query("SELECT tenure.finish(%s, %s, outcome => %s)", [job, fence, how])
    elif how == "cancelled":
        database.tenure("job", "cancel", job)
    elif how == "superseded":
        database.enqueue("demo-sleep", '{"seconds":0}', key=key)
    else:
        database.tenure("job", "cancel", job)
        wait_until(lambda: FINAL[2] in str(database.outcomes([job])), 8)
        database.tenure("job", "retry", job)
    return wait_until(lambda: set(database.outcomes([job])[job]) <= set(FINAL), 8)


def behind_the_snapshot(database, front, level):
    """The enqueue decides by a snapshot in which the key's job runs; it has ended meanwhile."""
    wanted = [(mode, how, f"{mode} {how} {level}") for mode in MODES for how in ENDS]
    first = {key: database.enqueue("demo-sleep", '{"seconds":600}', key=key, max_attempts=2)
             for _, _, key in wanted}

    def running():
        found = database.outcomes(first.values())
        return all(states == ["running"] for states in found.values())
    if not wait_until(running, 20):
        raise RuntimeError("the first jobs don't run")
    callers = {}
    for _, _, key in wanted:
        caller = callers[key] = database.connect(autocommit=False)
        caller.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
        caller.execute("SELECT count(*) FROM own")
    parts = [wanted[n::4] for n in range(4)]
    enders = [threading.Thread(target=lambda part=part: [
        end_running(database, first[key], key, how) for _, how, key in part]) for part in parts]
    for thread in enders:
        thread.start()
    for thread in enders:
        thread.join()
    given, refused = {}, collections.Counter()
    for mode, how, key in wanted:
        caller = callers[key]
        for _ in range(20):
            try:
                given[key] = call(caller, "demo-sleep", '{"seconds":0}', key=key, **MODES[mode])
                caller.commit()
                break
            except psycopg.Error as error:
                caller.rollback()
                if error.sqlstate not in RETRIED:
                    given[key] = (None, f"{error.sqlstate} {error.diag.message_primary}")
                    break
                refused[key] += 1
                caller.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
                caller.execute("SELECT count(*) FROM own")
        caller.close()
    # What was retried runs again, for minutes.
    database.tenure("job", "cancel", "--all", "--state", "running")
    ids = [one for one, _ in given.values() if one]
    wait_until(lambda: all(len(states) == 1 and states[0] in FINAL
                           for states in database.outcomes(ids).values()), 12)
    outcomes = database.outcomes(ids)
    for mode, how, key in wanted:
        one, result = given.get(key, (None, "never accepted"))
        problem = ""
        if not one:
            problem = f"the enqueue failed: {result}"
        elif one == first[key]:
            problem = f"answered {result!r} with the job that is over ({how})"
        elif len(outcomes[one]) != 1 or outcomes[one][0] not in FINAL:
            problem = f"{result!r}, and the job stands still: {outcomes[one]}"
        front.judge(f"{level}, {mode}, the key's running job {how} after the snapshot", problem,
                    "40001, or a job that ends", "refused, then it ended" if refused[key]
                    else "it ended")


class Caller(threading.Thread):
    """One connection after another, and what it was told. Keys of its own are named after it."""

    def __init__(self, database, name, level, where, user, seed, end):
        super().__init__(daemon=True)
        self.database, self.caller, self.level, self.where = database, name, level, where
        self.user, self.random, self.end = user, random.Random(seed), end
        self.acknowledged, self.never, self.lone_refusals, self.errors = [], [], [], []
        self.counts, self.connection, self.turn = collections.Counter(), None, 0

    def run(self):
        while time.monotonic() < self.end:
            try:
                self.transaction()
            except psycopg.Error as error:
                self.errors.append(f"{error.sqlstate} {error}")
                self.connection = None
        if self.connection:
            self.connection.close()

    def transaction(self):
        pick, alone = self.random, self.random.random() < 0.25
        self.turn += 1
        steps = self.steps(pick, alone)
        final = pick.choices(("commit", "rollback", "terminate", "cut"), (86, 8, 3, 3))[0]
        for _ in range(30):
            try:
                self.once(steps, final, pick)
                return
            except psycopg.Error as error:
                if error.sqlstate not in RETRIED:
                    raise
                self.counts[error.sqlstate] += 1
                if "read/write dependencies" in (error.diag.message_primary or ""):
                    # PostgreSQL's own rule for two that are SERIALIZABLE, and may have met on an
                    # index page only: docs/decisions/isolation.md.
                    self.counts["refused by PostgreSQL itself"] += 1
                elif alone:
                    self.lone_refusals.append(
                        f"{error.sqlstate} {error.diag.message_primary} {steps}")
                self.connection.rollback()
                time.sleep(pick.random() * 0.02)

    def steps(self, pick, alone):
        steps = []
        for number in range(pick.randint(1, 4)):
            mode, shared = pick.choice(list(MODES)), f"shared-{pick.randint(0, KEYS - 1)}"
            # Half of the keys are never superseded, which would set free what stands still.
            if shared[-1] in "02468" and mode == "superseding":
                mode = "coalescing"
            if alone:
                # A key that nobody has used, or a job so far ahead that no worker takes it.
                key = f"{self.caller}-{self.turn}-{number}" if pick.random() < 0.6 else \
                    f"{self.caller}-ahead-{pick.randint(0, 3)}"
                ahead = {"run_at": "2099-01-01"} if "ahead" in key else {}
                ahead = {} if mode == "debounced" else ahead
                mode = "coalescing" if mode == "debounced" and "ahead" in key else mode
                ahead = {"run_at": "2099-01-01"} if "ahead" in key else ahead
                steps.append(("demo-sleep", '{"seconds":0}', {"key": key, **MODES[mode], **ahead}))
                continue
            key = None if pick.random() < 0.15 else shared
            kind = pick.choice(("demo-sleep", "demo-sleep", "demo-fail"))
            payload = '{"message":"x"}' if kind == "demo-fail" else \
                f'{{"seconds":{pick.choice((0, 0.02, 0.15, 0.3))}}}'
            steps.append((kind, payload, {"max_attempts": pick.choice((1, 1, 2)), **(
                {"key": key, **MODES[mode]} if key else {})}))
        pick.shuffle(steps)
        return steps

    def once(self, steps, final, pick):
        if self.connection is None or self.connection.closed:
            self.connection = self.database.connect(self.user, autocommit=False)
        connection = self.connection
        if self.where == "in the statement":
            level = pick.choice(LEVELS) if self.level == "mixed" else self.level
            connection.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
        made, savepoints = [], pick.random() < 0.3
        if pick.random() < 0.7:
            connection.execute("SELECT count(*) FROM own WHERE id < 0")  # the snapshot
            time.sleep(pick.random() * 0.2)
        connection.execute("INSERT INTO own (note) VALUES (%s)", [str(uuid.uuid4())])
        for kind, payload, parameters in steps:
            if savepoints and pick.random() < 0.4:
                connection.execute("SAVEPOINT here")
                call(connection, kind, payload, **parameters)
                connection.execute("ROLLBACK TO SAVEPOINT here")
            made.append(call(connection, kind, payload, **parameters))
        if pick.random() < 0.2:
            time.sleep(pick.random() * 0.04)
        self.counts[final] += 1
        if final == "commit":
            connection.commit()
            self.counts["enqueues"] += len(made)
            self.acknowledged += made
            return
        self.never += [one for one, result in made if result == "enqueued"]
        if final == "rollback":
            connection.rollback()
            return
        if final == "terminate":
            self.database.query("SELECT pg_terminate_backend(%s)", [connection.info.backend_pid])
        else:  # what a killed client looks like to the server
            with socket.socket(fileno=socket.dup(connection.fileno())) as cut:
                cut.shutdown(socket.SHUT_RDWR)
        connection.close()
        self.connection = None


def mixed(rig, front, level, where, count, seconds):
    what = f"{count} callers at random, {level} {where}"
    database = rig.database(f"isolation_{rig.next_number()}")
    user = f"{database.name}_caller"
    database.query(f"CREATE ROLE {user} LOGIN IN ROLE tenure_producer")
    database.query(f"CREATE TABLE own (id bigserial PRIMARY KEY, note text); "
                   f"GRANT ALL ON own TO {user}; GRANT ALL ON own_id_seq TO {user}")
    if where == "as the database's default":
        database.query(f"ALTER DATABASE {database.name} SET default_transaction_isolation = "
                       f"'{level.lower()}'")
    elif where == "as the role's default":
        database.query(f"ALTER ROLE {user} SET default_transaction_isolation = '{level.lower()}'")
    workers = [database.worker("--queue", "default:12", "--poll", "100ms") for _ in range(2)]
    begun, pick = time.monotonic(), random.Random(rig.seed)
    callers = [Caller(database, f"own{n}", level, where, user, rig.seed * 1000 + n,
                      begun + seconds) for n in range(count)]
    for caller in callers:
        caller.start()
    while time.monotonic() < begun + seconds:  # an operator among them
        time.sleep(0.05)
        some = database.query("SELECT id::text, fence, state::text FROM tenure.job "
                              "WHERE run_at < '2090-01-01' ORDER BY random() LIMIT 3")
        if some and pick.random() < 0.15:
            database.tenure("job", pick.choice(("cancel", "retry", "discard")),
                            *[one for one, _, _ in some])
        for one, fence, state in some:
            if state == "running":  # a program in another language gives it up, or ends it
                try:
                    database.query("SELECT tenure.finish(%s, %s, outcome => %s)",
                                   [one, fence, pick.choice(("discarded", "completed"))])
                except psycopg.Error as error:
                    if error.sqlstate not in (*RETRIED, "TN001"):
                        raise
    for caller in callers:
        caller.join(20)
    total = sum((caller.counts for caller in callers), collections.Counter())
    done = (f"{what}, {total['commit']} commits, {total['enqueues']} enqueues, "
            f"{total['refused by PostgreSQL itself']} refused by PostgreSQL itself")
    judge_mix(database, front, done, callers, workers)
    codes = [worker.stop() for worker in workers]
    front.judge(f"{what}: the workers at the end",
                "" if codes == [0, 0] else f"{codes}", "exit code 0")


def judge_mix(database, front, done, callers, workers):
    deaths = "; ".join(worker.death for worker in workers if worker.death)
    front.judge(f"{done}: workers", deaths, "they live")
    errors = [error for caller in callers for error in caller.errors]
    front.judge(f"{done}: errors", errors and f"{len(errors)}, such as {errors[0]}",
                "none but 40001 and 40P01, which are tried again")
    lone = [one for caller in callers for one in caller.lone_refusals]
    front.judge(f"{done}: callers whose keys nobody else touched",
                lone and f"{len(lone)} refusals, such as {lone[0]}", "never refused")

    def unfinished():
        return database.query("SELECT id::text, key, state::text FROM tenure.job "
                              "WHERE run_at < '2090-01-01'")
    wait_until(lambda: not unfinished(), 15, 0.3)
    stand = unfinished()
    ahead = {one for one, in database.query(
        "SELECT id::text FROM tenure.job WHERE run_at > '2090-01-01'")}
    front.judge(f"{done}: every job ends", stand and f"{len(stand)} stand still, such as "
                f"{stand[:3]}", "nothing unfinished 15 s after the last enqueue")
    outcomes = database.outcomes({one for caller in callers for one, _ in caller.acknowledged})
    wrong = [(one, states) for one, states in outcomes.items() if one not in ahead and (
        len(states) != 1 or (states[0] not in FINAL and not stand))]
    front.judge(f"{done}: what was acknowledged", wrong and f"{len(wrong)}, such as {wrong[:3]}",
                "each id in exactly one place, once")
    never = database.outcomes({one for caller in callers for one in caller.never})
    known = set(outcomes)
    there = [one for one, states in never.items() if states and one not in known]
    front.judge(f"{done}: what was never committed", there and f"{len(there)} are there",
                "none of it is there")
    back = database.query(
        "SELECT key, generation FROM (SELECT key, generation, max(generation) OVER (PARTITION BY "
        "kind, key ORDER BY finished_at ROWS UNBOUNDED PRECEDING) AS newest FROM "
        "tenure.job_history WHERE outcome = 'completed' AND key IS NOT NULL) AS c "
        "WHERE generation < newest")
    front.judge(f"{done}: generations", back and f"{len(back)} commits of an older one after a "
                f"newer, such as {back[0]}", "they only go forward")
    still = []
    canaries = {}
    for number in range(KEYS):
        for kind, payload in (("demo-sleep", '{"seconds":0}'), ("demo-fail", '{"message":"x"}')):
            try:
                canaries[(kind, number)] = database.enqueue(
                    kind, payload, key=f"shared-{number}", mode="coalescing", max_attempts=1)
            except psycopg.Error as error:
                still.append(f"{kind} shared-{number}: {error}")
    problem = database.wait_for(canaries.values(), 10, FINAL)
    if problem or still:
        still.append(problem)
    front.judge(f"{done}: each key afterwards", "; ".join(still)[:300],
                "one more coalescing enqueue of it ends within 10 s")


def run(rig, front):
    database = rig.database("isolation")
    database.query("CREATE TABLE own (id bigserial PRIMARY KEY, note text)")
    worker = database.worker("--queue", "default:80", "--pool-size", "8")
    for level in LEVELS:
        behind_the_snapshot(database, front, level)
    front.judge("the worker, after all of these", worker.death, "it lives")
    worker.stop()
    mixes = MIXES if rig.is_long else random.Random(rig.seed).sample(MIXES[:6], 1) + [MIXES[6]]
    rounds, end = 0, time.monotonic() + (rig.budget if rig.is_long else 0)
    while rounds == 0 or time.monotonic() < end:
        for level, where, count in mixes:
            mixed(rig, front, level, where, count, 20 if rig.is_long else rig.budget / 4)
        rounds += 1
        rig.seed += rig.is_long

