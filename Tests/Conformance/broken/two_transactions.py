"""Commits a handler's effects, and then ends the run. Fails: late."""
import contextlib

from base import tenure, worker


@contextlib.contextmanager
def commit(run, outcome="completed", result=None, follow_ups=None):
    with run.connection() as connection:
        yield connection
        run.finish(connection, outcome, result, follow_ups)
        run.is_ended = True


tenure.Run.commit = commit
worker(tenure.Worker)
