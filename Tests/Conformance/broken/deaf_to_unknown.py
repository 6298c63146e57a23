"""Leaves runs alone that a beat brings back. Fails: unknown."""
from base import tenure, worker


class Broken(tenure.Worker):
    def hand_back_strangers(self, found):
        pass  # broken on purpose


worker(Broken)
