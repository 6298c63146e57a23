"""Claims more than it has slots for. Fails: slots."""
from base import tenure, worker


class Broken(tenure.Worker):
    def wanted(self):
        return super().wanted() + 8


worker(Broken)
