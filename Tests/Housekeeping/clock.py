"""A server and processes whose wall clock goes as fast as we say."""
import time

from machine_clock import MachineClock
from rig import Rig


class ClockRig(Rig):
    """The rig, with a clock of ours in all its processes."""
    hours = 0
    ahead = 60

    def start_server(self, home, port, before=()):
        self.begun = time.monotonic()
        self.clock = MachineClock(self.folder)
        self.environment = self.clock.environment
        words = [f"{name}={value}" for name, value in self.environment.items()]
        return super().start_server(home, port, before=(*before, "env", *words))

    def set(self, hours):
        """So many hours after the start, and a minute, in which the site was added. What passes
        meanwhile doesn't add up: after half an hour of it a check would be due where another is
        waited for."""
        self.hours = hours
        self.clock.set(hours * 3600 + self.ahead - (time.monotonic() - self.begun))
