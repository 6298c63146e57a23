"""Hears of a shutdown, and not of what becomes of single jobs. Fails: cancel."""
from base import tenure, worker


class Broken(tenure.Worker):
    def verdict(self, runs, tag, job, detail):
        if tag == "stop":
            super().verdict(runs, tag, job, detail)


worker(Broken)
