"""What a handler sees of Tenure: its run, and what it may answer."""
import contextlib
import threading

import psycopg
from psycopg.types.json import Jsonb
from tenure_link import connect, now


class Stopped(BaseException):
    """The run has lost its right; not an `Exception`, so that no handler catches it unawares."""


class Unreadable(Exception):
    """Raised by a handler for a payload that this release can't read: the job is held."""


class Answer:
    """What a handler may return instead of nothing, which means that it has completed."""

    def __init__(self, wanted, **fields):
        self.wanted, self.fields = wanted, fields


def completed(result=None):
    return Answer("completed", result=result)


def snooze(seconds):
    return Answer("snoozed", delay=f"{seconds} s")


def discard(reason):
    return Answer("discarded", reason=reason)


def retry(seconds, reason):
    return Answer("failed", delay=f"{seconds} s", error_code="retry_asked", error_message=reason)


class Run:
    """One run of a job, as its handler sees it."""

    def __init__(self, worker, session, row):
        self.worker, self.session = worker, session
        (self.job, self.fence, self.kind, self.key, self.payload, self.payload_version,
         self.attempt, self.queue) = row
        self.reason, self.give_up, self.is_ended = None, None, False
        self.works, self.stopped, self.connections = False, threading.Event(), set()

    def check(self):
        """To be called before every effect. It asks the clock: a flag may not be set yet."""
        if self.reason is None and not self.worker.holds(self.session):
            self.worker.watch_lease(now())
            self.stop("lease_expired", now() + self.worker.lease / 6)
        if self.reason is not None:
            raise Stopped(self.reason)

    def sleep(self, seconds):
        self.stopped.wait(seconds)
        self.check()

    @contextlib.contextmanager
    def connection(self):
        """A connection of the handler's own; what it runs is cancelled when the run is stopped."""
        self.check()
        with connect(self.worker.dsn, "handler") as connection:
            self.connections.add(connection)
            try:
                yield connection
            finally:
                self.connections.discard(connection)

    @contextlib.contextmanager
    def commit(self, outcome="completed", result=None, follow_ups=None):
        """One transaction: the handler's own writes, then the end of the run, then COMMIT."""
        with self.connection() as connection:
            with connection.transaction():
                yield connection
                self.finish(connection, outcome, result, follow_ups)
            self.is_ended = True

    def finish(self, connection, outcome, result, follow_ups):
        """The last statement before COMMIT. Late is an error: all of it is rolled back."""
        self.check()
        rows = connection.execute(
            "SELECT f.result FROM tenure.finish(%s, %s, %s, %s, %s) AS f",
            [self.job, self.fence, outcome, result if result is None else Jsonb(result),
             follow_ups if follow_ups is None else Jsonb(follow_ups)]).fetchall()
        if ("awaited",) in rows:
            self.worker.awaited.append(self.job)

    def stop(self, reason, give_up=None):
        """Asks the handler to stop, for the first reason that comes."""
        if self.reason is None:
            self.reason, self.give_up = reason, give_up
            self.stopped.set()
            for connection in list(self.connections):
                threading.Thread(target=self.cancel, args=[connection], daemon=True).start()

    @staticmethod
    def cancel(connection):
        with contextlib.suppress(psycopg.Error):  # it is closed, and so is its statement
            connection.cancel()
