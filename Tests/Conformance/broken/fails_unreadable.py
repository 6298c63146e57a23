"""Takes a payload that it can't read for a failed attempt. Fails: unreadable."""
from base import tenure, worker


class Broken(tenure.Worker):
    def failed(self, run, error):
        if isinstance(error, tenure.Unreadable):
            error = ValueError(str(error))
        return super().failed(run, error)


worker(Broken)
