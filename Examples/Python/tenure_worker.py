"""A worker for Tenure: claims jobs, keeps their lease, ends their runs behind their fences.

It follows docs/other-languages.md. Handlers run in threads, one for each slot. A thread can't be
killed, so a handler is asked to stop a third of the lease before its end: `run.check()` and
`run.sleep()` raise `Stopped`, and a statement that its connection runs is cancelled on the server.
If it still works a sixth of the lease before the end, the process ends itself: only that is sure.
"""
import contextlib
import logging
import os
import random
import select
import signal
import threading
import time

import psycopg
from psycopg.types.json import Jsonb
from tenure_link import Link, connect, now
from tenure_run import Answer, Run, Stopped, Unreadable

LATE, OVER = "TN001", "TN002"
EXIT_STUCK = 75  # EX_TEMPFAIL: a supervisor is to start it again
log = logging.getLogger("tenure")


class Worker:
    def __init__(self, dsn, queue, lease=30.0, slots=4, grace=30.0, poll=1.0, name="python",
                 release="1"):
        self.dsn, self.queue, self.lease, self.slots = dsn, queue, lease, slots
        self.grace, self.poll, self.name, self.release = grace, poll, name, release
        self.handlers, self.lock = {}, threading.RLock()
        self.session, self.sent = None, 0
        self.runs, self.endings, self.awaited = {}, {}, []
        self.peers, self.last_answer, self.silent = {}, 0, []
        self.strangers, self.claims_begun, self.claims_over = {}, 0, 0
        self.note_number, self.note_answered, self.places = 0, 0, [None, None]
        self.stopping, self.leaving = threading.Event(), threading.Event()
        self.has_ends, self.has_chores = threading.Event(), threading.Event()
        self.wake_in, self.wake_out = os.pipe()
        os.set_blocking(self.wake_in, False)
        os.set_blocking(self.wake_out, False)
        self.beats = Link(dsn, "beat", lease / 10)
        self.claims = Link(dsn, "claim", max(2, lease / 3))
        self.ends = Link(dsn, "end", max(2, lease / 3))
        self.chores = Link(dsn, "chores", 30)

    def handle(self, kind):
        def register(handler):
            self.handlers[kind] = handler
            return handler
        return register

    # The lease, by our own clock: `sent` is read before the newest acknowledged beat was sent.

    def holds(self, session):
        with self.lock:
            return session == self.session and now() < self.sent + self.lease * 2 / 3

    def working(self):
        return [run for run in list(self.runs.values()) if run.works]

    def watch_lease(self, at):
        with self.lock:
            if self.session is None or at < self.sent + self.lease * 2 / 3:
                return
            session, sent = self.session, self.sent
        for run in self.working():
            if run.session == session:
                # Who was frozen past that can only be quick.
                run.stop("lease_expired", max(sent + self.lease * 5 / 6, at + 0.5))

    def watch(self):
        while True:
            at = now()
            self.watch_lease(at)
            working = self.working()
            for run in working:
                if run.give_up is not None and at >= run.give_up:
                    log.error("job %s ignores that it must stop: the process ends", run.job)
                    os._exit(EXIT_STUCK)
            # Where this thread has no turn, or we are frozen, the kernel's alarm ends us in time.
            alarm = self.sent + self.lease * 0.88 - at
            signal.setitimer(signal.ITIMER_REAL, (alarm if alarm > 0 else 1) if working else 0)
            for link in (self.beats, self.claims, self.ends, self.chores):
                link.cut(at)
            time.sleep(min(0.05, self.lease / 60))

    # The beat.

    def beat_loop(self):
        while not self.leaving.is_set():
            sent = now()
            try:
                if self.session is None:
                    self.open_session(sent)
                    continue
                self.beat(sent)
                rest = self.lease / 6
            except psycopg.Error as error:
                log.warning("a beat has failed: %s", error)
                self.beat_failed()
                rest = self.lease / 60
            self.leaving.wait(max(0, sent + rest - now()))

    def beat_failed(self):
        """Its outcome is unknown: it extends nothing. On a new connection, the next one may."""
        self.beats.close()

    def open_session(self, sent):
        session = self.beats.call(
            "SELECT tenure.open_session('worker', %s, %s, make_interval(secs => %s), %s, %s,"
            " says_begun => true)",
            [self.name, self.release, self.lease, [self.queue], list(self.handlers)])[0][0]
        with self.lock:
            self.session, self.sent = session, sent
            self.note_number = self.note_answered = 0
        log.info("session %s is open", session)
        self.wake()

    def beat(self, sent):
        session, runs = self.session, list(self.runs.values())
        rows = self.beats.call(
            "SELECT tag, job_id, number, detail, lease FROM tenure.beat(%s, %s, %s, 0, NULL)",
            [session, [run.job for run in runs], [run.fence for run in runs]])
        tags = {row[0] for row in rows}
        if "beat" not in tags:
            return self.session_over(session)
        self.renewed(session, sent)
        for tag, job, number, detail, _ in rows:
            self.verdict(runs, tag, job, detail)
        self.hand_back_strangers({(row[1], row[2]) for row in rows if row[0] == "unknown"})
        self.watch_peers([(row[2], row[3], row[4]) for row in rows if row[0] == "peer"])
        if self.silent or "dead" in tags:
            self.has_chores.set()

    def renewed(self, session, sent):
        with self.lock:
            if session == self.session:
                self.sent = sent

    def session_over(self, session):
        """It was declared dead, and never comes back: its runs are others'."""
        log.warning("session %s is over", session)
        for run in self.working():
            run.stop("lost", now() + self.lease / 6)
        with self.lock:
            self.session = None

    def verdict(self, runs, tag, job, detail):
        if tag == "stop":
            self.stop_asked(detail)
        if job is None or tag == "unknown":
            return
        # A word that we don't know: whatever it says of a run, the run is not to go on.
        reason = tag if tag in ("cancelled", "superseded") else "lost"
        for run in [run for run in runs if run.job == job]:
            run.stop(reason, now() + self.lease / 6 if reason == "lost" else None)

    def stop_asked(self, by_whom):
        log.info("%s asks us to stop", by_whom)
        self.stop()

    def hand_back_strangers(self, found):
        """Runs in our name whose claim's answer was lost: seen twice, with no claim between that
        may have brought them."""
        strange = {one for one in found if one not in self.runs}
        for job, fence in strange:
            if self.strangers.get((job, fence), self.claims_begun + 1) <= self.claims_over:
                log.warning("job %s is handed back: the answer of its claim was lost", job)
                self.report(job, fence, Answer("unbegun"))
        self.strangers = {one: self.strangers.get(one, self.claims_begun) for one in strange}

    def watch_peers(self, peers):
        """A session is dead when its beat has stood still for its whole lease, on our clock, since
        the answer arrived that first showed it. After a gap all is counted anew."""
        at, seen, self.silent = now(), {}, []
        if at - self.last_answer > self.lease * 0.45:
            self.peers = {}
        self.last_answer = at
        for session, beat, lease in peers:
            earlier, since = self.peers.get(session, (None, at))
            seen[session] = (beat, since if earlier == beat else at)
            if at - seen[session][1] >= lease.total_seconds():
                self.silent.append((session, beat))
        self.peers = seen

    # Claims: for free slots alone.

    def claim_loop(self):
        while not self.stopping.is_set():
            try:
                free, session = self.wanted(), self.session
                if free > 0 and session is not None and self.holds(session):
                    if self.claims.connection is None:
                        self.claims.call("LISTEN tenure_available")
                    self.claim(session, free)
                self.wait_for_work(self.poll * random.uniform(0.8, 1.2))
            except (psycopg.Error, OSError) as error:
                if getattr(error, "sqlstate", None) != OVER:
                    log.warning("a claim has failed: %s", error)
                self.claims.close()
                self.stopping.wait(0.2)

    def wanted(self):
        return self.slots - len(self.runs)

    def claim(self, session, free):
        self.claims_begun += 1
        try:
            runs = [Run(self, session, row) for row in self.claims.call(
                "SELECT id, fence, kind, key, payload, payload_version, attempt, queue"
                " FROM tenure.claim(%s, %s, %s, %s, wanted_versions => %s) ORDER BY fence",
                [session, self.queue, list(self.handlers), free, [1] * len(self.handlers)])]
            self.runs |= {(run.job, run.fence): run for run in runs}
        finally:
            self.claims_over = self.claims_begun
        if runs:
            self.begin(session, runs)

    def begin(self, session, runs):
        """The answer may have been long on its way: the clock decides whether anything begins."""
        begins = False
        try:
            begins = self.holds(session) and self.note_begun(session)
        finally:  # where that can't be said, too: nobody else knows of them
            for run in runs:
                run.works = begins
                if begins:
                    threading.Thread(target=self.work, args=[run], daemon=True).start()
                else:
                    self.report(run.job, run.fence, Answer("unbegun"))

    def note_begun(self, session):
        """Says which runs are attempts from now on: a death charges these, and no others."""
        self.note_number += 1
        fences = sorted(run.fence for run in list(self.runs.values()) if run.session == session)
        if not self.claims.call(
                "SELECT tenure.note_begun(%s, %s, %s, %s, %s, %s)",
                [session, self.queue, self.note_number, self.note_answered, fences, fences])[0][0]:
            return False
        self.note_answered = self.note_number
        return True

    def wake(self):
        with contextlib.suppress(BlockingIOError):  # full: it is awake
            os.write(self.wake_out, b".")

    def wait_for_work(self, seconds):
        heard = [self.wake_in] + ([self.claims.connection] if self.claims.connection else [])
        if self.wake_in in select.select(heard, [], [], seconds)[0]:
            os.read(self.wake_in, 4096)
        if self.claims.connection:
            wire = self.claims.connection.pgconn
            wire.consume_input()
            while wire.notifies():
                pass  # whatever the queue: the next claim looks

    # A run, and its end.

    def work(self, run):
        try:
            run.check()
            answer = self.handlers[run.kind](run) or Answer("completed")
        except BaseException as error:  # whatever a handler raises is its answer
            answer = self.failed(run, error)
        run.works = False
        if run.is_ended:
            self.over(run.job, run.fence)
            self.has_ends.set()  # others may wait for it
        else:
            self.report(run.job, run.fence, answer)

    def failed(self, run, error):
        if isinstance(error, Unreadable):
            return Answer("held", reason=str(error), hold_version=self.release)
        late = getattr(error, "sqlstate", None) == LATE
        lost = isinstance(error, psycopg.OperationalError) and not error.sqlstate
        if isinstance(error, Stopped) or late or lost or (
                run.reason and isinstance(error, psycopg.Error)):
            # A lost connection too: if its COMMIT came through, the fence is gone, and this is
            # answered `late`. The database knows whether it was cancelled or superseded.
            return Answer("handed_back", reason=run.reason)
        log.info("job %s has failed: %r", run.job, error)
        delay = min(run.attempt ** 4, 86400) * random.uniform(0.9, 1.1)
        return Answer("failed", delay=f"{delay:.3f} s", error_code=type(error).__name__,
                      error_message=str(error).replace("\0", "")[:4000])

    def report(self, job, fence, answer):
        fields = {name: value for name, value in answer.fields.items() if value is not None}
        self.endings[job, fence] = {
            "id": str(job), "fence": fence, "wanted": answer.wanted, **fields}
        self.has_ends.set()

    def over(self, job, fence):
        self.endings.pop((job, fence), None)
        self.runs.pop((job, fence), None)
        self.wake()

    def end_loop(self):
        """Until it is written, and wherever the lease is by then: a fence outlives it."""
        while True:
            self.has_ends.wait()
            self.has_ends.clear()
            for ending in list(self.endings.values()):  # one that is refused holds up no other
                self.write_end(ending)
            self.settle_ends()
            if self.endings:
                time.sleep(0.1)
                self.has_ends.set()

    def write_end(self, ending):
        try:
            for job, fence, became, awaited in self.ends.call(
                    "SELECT id, fence, became, awaited FROM tenure.end_runs(%s, false)",
                    [Jsonb([ending])]):
                if became != "busy":
                    self.awaited += [job] if awaited else []
                    self.over(job, fence)
        except psycopg.OperationalError as error:
            log.warning("an end waits: %s", error)
        except psycopg.Error as error:
            log.error("an end can't be written: %s", error)
            ending |= {"wanted": "failed", "delay": "60 s", "error_code": "unwritable_end",
                       "error_message": str(error)[:1000], "result": None, "reason": None}

    def settle_ends(self):
        """Lets those go on that wait for jobs which have ended. A sweep does it, too."""
        ids, self.awaited = self.awaited, []
        if not ids:
            return
        with contextlib.suppress(psycopg.Error):  # the next sweep finds them
            self.ends.call("SELECT FROM tenure.settle_ends(%s)", [ids])

    # What somebody has to do for all. The rest is done by `tenure coordinator`.

    def chore_loop(self):
        next_sweep = now() + 5
        while not self.leaving.is_set():
            self.has_chores.wait(1)
            self.has_chores.clear()
            try:
                self.reclaim()
                if now() >= next_sweep:
                    next_sweep = now() + 5 * random.uniform(0.9, 1.1)
                    self.sweep()
            except psycopg.Error as error:
                log.warning("a chore has failed: %s", error)

    def sweep(self):
        call, kinds, places = self.chores.call, list(self.handlers), self.places
        call("SELECT FROM tenure.expire_jobs(1000)")
        call("SELECT tenure.release_held(%s, %s, %s)", [kinds, self.release, [1] * len(kinds)])
        call("SELECT FROM tenure.settle_ends()")
        places[0] = call("SELECT onward FROM tenure.sweep_waiting(%s, 1000)", places[:1])[0][0]
        places[1] = call("SELECT next FROM tenure.sweep_batches(%s, 1000)", places[1:])[0][0]

    def reclaim(self):
        for session, beat in self.silent:
            if self.session is not None and self.chores.call(
                    "SELECT tenure.declare_dead(%s, %s, %s)", [session, beat, self.session])[0][0]:
                log.warning("session %s is declared dead", session)
        while self.chores.call("SELECT FROM tenure.reclaim_runs(1000)"):
            self.wake()

    # From the start to the end.

    def stop(self, *_):
        self.stopping.set()
        self.wake()

    def run(self):
        """Works until it is asked to stop. Returns the exit code."""
        signal.signal(signal.SIGTERM, self.stop)
        signal.signal(signal.SIGINT, self.stop)
        for loop in (self.watch, self.beat_loop, self.end_loop, self.chore_loop):
            threading.Thread(target=loop, daemon=True).start()
        self.claim_loop()
        return self.shut_down()

    def shut_down(self):
        """Running handlers have the grace; then they are stopped, and their jobs handed back."""
        log.info("shutting down with %s runs", len(self.runs))
        self.wait_for_runs(self.grace)
        for run in self.working():
            run.stop("shutdown", now() + self.lease / 6)
        self.wait_for_runs(self.lease)
        self.leaving.set()
        try:
            with connect(self.dsn, "close", 2) as connection:
                connection.execute("SELECT tenure.close_session(%s)", [self.session])
                connection.execute("SELECT pg_notify('tenure_available', %s)", [self.queue])
        except psycopg.Error as error:
            log.warning("the session is left to its end: %s", error)
        return EXIT_STUCK if self.runs else 0

    def wait_for_runs(self, seconds):
        end = now() + seconds
        while self.runs and now() < end:
            time.sleep(0.02)
