"""Jobs of every sort, enqueued all the time, each with an id of its own: what wasn't answered is
sent again, and is there once. What became of all of them is judged at the end."""
import collections
import os
import threading
import time
import uuid

import psycopg
from psycopg.types.json import Jsonb

# A row for each end, in its transaction, as a handler's own write: the server that wrote it, too.
AUDIT = """
    CREATE SCHEMA audit;
    CREATE TABLE audit.ended (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(), job uuid NOT NULL, fence bigint,
        generation bigint, kind text, key text, outcome text, server text NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp());
    CREATE FUNCTION audit.note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO audit.ended (job, fence, generation, kind, key, outcome, server)
        SELECT NEW.id, NEW.fence, NEW.generation, NEW.kind, NEW.key, NEW.outcome,
               system_identifier FROM pg_control_system();
        RETURN NULL;
    END $$;
    CREATE TRIGGER note AFTER INSERT ON tenure.job_history
        FOR EACH ROW EXECUTE FUNCTION audit.note();
"""


def new_id():
    """A UUID of version 7."""
    random = int.from_bytes(os.urandom(10), "big")
    value = (time.time_ns() // 1_000_000) << 80 | 7 << 76 | (random >> 68 & 0xFFF) << 64
    return str(uuid.UUID(int=value | 2 << 62 | random & (1 << 62) - 1))


ENQUEUE = "SELECT job_id::text FROM tenure.enqueue(%s, %s, id => %s"


class Load:
    """What programs see of a database that has its second day."""

    def __init__(self, url, pause=0.03):
        self.url, self.pause = url, pause
        self.wanted, self.batches, self.refusals = {}, {}, collections.Counter()
        self.isolated = threading.Event()
        self.longest, self.silent_since = 0.0, None
        self.connection, self.is_ending, self.problem = None, False, None
        self.thread = threading.Thread(target=self.run, daemon=True)

    def start(self):
        self.thread.start()
        return self

    def end(self):
        self.is_ending = True
        self.thread.join(120)
        if self.problem or self.thread.is_alive():
            raise RuntimeError(f"the producer: {self.problem or 'it does not end'}")

    def run(self):
        number = 0
        try:
            while not self.is_ending:
                self.one(number)
                number += 1
                time.sleep(self.pause)
        except Exception as error:  # told by end()
            self.problem = repr(error)

    def one(self, number):
        sort, turn = number % 10, number // 10
        if sort < 4:
            self.enqueue({"completed"}, {"seconds": 0.05 * sort})
        elif sort == 4:
            self.enqueue({"completed", "superseded"}, {"seconds": 0.2}, key=f"s{turn % 5}",
                         mode="superseding")
        elif sort == 5:
            self.enqueue({"completed"}, {"seconds": 0.3}, key=f"c{turn % 3}", mode="coalescing")
        elif sort == 6:
            self.enqueue({"completed"}, {"seconds": 0.05}, lane=f"l{turn % 3}")
        elif sort == 7:
            self.enqueue({"discarded"}, {"message": "it fails"}, kind="demo-fail", max_attempts=2)
        elif sort == 8 and turn % 5 == 0:
            self.batch()
        elif sort == 9 and turn % 5 == 0:
            self.enqueue({"scheduled"}, {"seconds": 0}, after="1 hour")

    def enqueue(self, outcomes, payload, kind="demo-sleep", **parameters):
        given = new_id()
        names = "".join(f", {name} => %s" for name in parameters)
        values = [kind, Jsonb(payload), given, *parameters.values()]
        job = self.settled(lambda connection: connection.execute(
            f"{ENQUEUE}{names})", values).fetchone()[0])
        self.wanted[job] = self.wanted.get(job, set()) | outcomes
        return job

    def batch(self):
        batch, jobs = new_id(), [new_id() for _ in range(3)]
        follow_up = [{"kind": "demo-sleep", "payload": {"seconds": 0, "after": batch}}]

        def start(connection):
            with connection.transaction():
                connection.execute("SELECT tenure.start_batch(%s, %s)", [batch, Jsonb(follow_up)])
                for job in jobs:
                    connection.execute(f"{ENQUEUE}, batch_id => %s)",
                                       ["demo-sleep", Jsonb({"seconds": 0.2}), job, batch])

        def is_there(connection):
            return connection.execute(
                "SELECT count(*) FROM tenure.batch WHERE id = %s", [batch]).fetchone()[0] == 1
        self.settled(lambda connection: is_there(connection) or start(connection))
        self.batches[batch] = jobs
        for job in jobs:
            self.wanted[job] = {"completed"}

    def settled(self, call):
        """Again until it is answered; what it was refused with meanwhile is counted."""
        begun = time.monotonic()
        while True:
            try:
                if self.connection is None or self.connection.closed:
                    self.connection = psycopg.connect(self.url, autocommit=True, connect_timeout=3)
                answer = call(self.connection)
                self.longest = max(self.longest, time.monotonic() - begun)
                self.silent_since = None
                return answer
            except psycopg.Error as error:
                self.silent_since = self.silent_since or begun
                self.refusals[error.sqlstate or "no connection"] += 1
                if self.connection is not None:
                    self.connection.close()
                if time.monotonic() - begun > 240:
                    raise
                time.sleep(0.1)


class Judge:
    """What became of the jobs, by the tables that are there at the end."""

    def __init__(self, server, load, database="tenure"):
        self.server, self.load, self.database = server, load, database
        self.wrong, self.figures = [], {}

    def rows(self, statement):
        return self.server.query(statement, database=self.database)

    def expect(self, what, holds, found=""):
        if not holds:
            self.wrong.append(f"{what}: {found}")

    def run(self):
        self.ends()
        self.effects()
        self.generations()
        self.followers()
        self.ticks()
        return self.wrong

    def ends(self):
        states = collections.defaultdict(list)
        for job, state in self.rows(
                "SELECT id::text, state::text FROM tenure.job UNION ALL "
                "SELECT id::text, outcome::text FROM tenure.job_history"):
            states[job].append(state)
        wrong = [(job, states[job]) for job, allowed in self.load.wanted.items()
                 if len(states[job]) != 1 or states[job][0] not in allowed]
        lost = [job for job, found in wrong if not found]
        self.expect("acknowledged jobs that are lost", not lost, f"{len(lost)}: {lost[:2]}")
        self.expect("jobs that ended as they should not", not wrong, f"{len(wrong)}: {wrong[:3]}")
        twice = [job for job, found in states.items() if len(found) > 1]
        self.expect("jobs that are there twice", not twice, twice[:3])
        self.figures["acknowledged jobs"] = len(self.load.wanted)

    def effects(self):
        """Each end has written its row, once, and no fence was given twice."""
        rows = self.rows("SELECT job::text, fence, outcome FROM audit.ended")
        apart = self.rows("SELECT coalesce(e.job, h.id)::text FROM audit.ended e "
                          "FULL JOIN tenure.job_history h ON h.id = e.job "
                          "WHERE h.id IS NULL OR e.job IS NULL")
        jobs = collections.Counter(job for job, _, _ in rows)
        twice = [job for job, count in jobs.items() if count > 1]
        self.expect("jobs with effects twice", not twice, twice[:3])
        self.expect("ends without their effect, or effects without their end",
                    not apart, f"{len(apart)}: {apart[:3]}")
        by_fence = collections.defaultdict(set)
        for job, fence in [(job, fence) for job, fence, _ in rows if fence] + self.rows(
                "SELECT job_id::text, fence FROM tenure.attempt_error WHERE fence IS NOT NULL"):
            by_fence[fence].add(job)
        shared = [fence for fence, found in by_fence.items() if len(found) > 1]
        self.expect("fences of more than one job", not shared, shared[:3])
        self.figures["effects"] = len(rows)

    def generations(self):
        newest = {}
        for key, generation in self.rows(
                "SELECT kind || ' ' || key, generation FROM audit.ended WHERE key IS NOT NULL "
                "AND outcome = 'completed' ORDER BY at"):
            self.expect("a key's generations went back", generation > newest.get(key, 0),
                        f"{key}: {generation} after {newest.get(key)}")
            newest[key] = generation

    def followers(self):
        found = collections.Counter(batch for batch, in self.rows(
            "SELECT payload->>'after' FROM tenure.job_history WHERE payload ? 'after'"))
        wrong = [batch for batch in self.load.batches if found[batch] != 1]
        self.expect("batches whose end did not follow once", not wrong, wrong[:3])
        self.figures["batches"] = len(self.load.batches)

    def ticks(self):
        fired, jobs = self.rows(
            "SELECT (SELECT fired FROM tenure.schedule WHERE name = 'pulse'), (SELECT count(*) "
            "FROM tenure.job_history WHERE payload ? 'tick')")[0]
        # A tick whose job before it still waits adds none.
        self.expect("ticks of the schedule and their jobs", fired / 2 < jobs <= fired,
                    f"{fired}, {jobs} jobs")
        self.figures["ticks"] = fired
