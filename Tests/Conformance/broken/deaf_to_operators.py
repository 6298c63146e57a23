"""Goes on when an operator asks it to end. Fails: stop-asked."""
from base import tenure, worker


class Broken(tenure.Worker):
    def stop_asked(self, by_whom):
        pass  # broken on purpose


worker(Broken)
