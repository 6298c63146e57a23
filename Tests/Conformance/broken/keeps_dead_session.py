"""Goes on under a session that was declared dead. Fails: declared-dead."""
from base import tenure, worker


class Broken(tenure.Worker):
    def session_over(self, session):
        pass  # broken on purpose


worker(Broken)
