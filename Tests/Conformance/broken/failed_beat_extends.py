"""Takes a beat that has failed for one that came through. Fails: gone."""
from base import tenure, worker


class Broken(tenure.Worker):
    def beat_failed(self):
        super().beat_failed()
        self.renewed(self.session, tenure.now())


worker(Broken)
