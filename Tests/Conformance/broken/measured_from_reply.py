"""Counts its lease from a beat's answer, however late that comes. Fails: reply."""
from base import tenure, worker


class Broken(tenure.Worker):
    def __init__(self, *words, **names):
        super().__init__(*words, **names)
        self.beats.patience = 60

    def renewed(self, session, sent):
        super().renewed(session, tenure.now())


worker(Broken)
