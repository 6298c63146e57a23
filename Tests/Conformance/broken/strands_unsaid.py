"""Forgets what it has claimed where it can't say that it begins. Fails: unsaid."""
from base import tenure, worker


class Broken(tenure.Worker):
    def report(self, job, fence, answer):
        if answer.wanted != "unbegun" or self.stopping.is_set():
            super().report(job, fence, answer)


worker(Broken)
