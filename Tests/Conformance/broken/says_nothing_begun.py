"""Promises to say which runs have begun, and doesn't. Fails: charged."""
from base import tenure, worker


class Broken(tenure.Worker):
    def note_begun(self, session):
        return True


worker(Broken)
