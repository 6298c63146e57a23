"""A server and processes whose wall clock goes as fast as we say."""
from machine_clock import MachineClock
from rig import Rig


class ClockRig(Rig):
    """The rig, with a clock of ours in all its processes."""
    hours = 0

    def start_server(self, home, port, before=()):
        self.clock = MachineClock(self.folder)
        self.environment = self.clock.environment
        words = [f"{name}={value}" for name, value in self.environment.items()]
        return super().start_server(home, port, before=(*before, "env", *words))

    def set(self, hours):
        self.hours = hours
        self.clock.set(hours * 3600)
