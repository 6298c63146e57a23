"""Lets nobody know that a batch has come to its end. Fails: batches."""
from base import tenure, worker


class Broken(tenure.Worker):
    def sweep(self):
        pass


worker(Broken)
