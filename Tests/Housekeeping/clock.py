"""A server and processes whose wall clock goes as fast as we say."""
import os
import struct
import subprocess

from rig import Rig

SHIM = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                    "../Faults/Rig/Machine/clock-shim.c")


class ClockRig(Rig):
    """The rig, with the clock shim of the fault rig in all its processes."""
    hours = 0


    def start_server(self, home, port, before=()):
        library, self.clock = f"{self.folder}/clock.so", f"{self.folder}/clock"
        for compiler in ("cc", "clang", "gcc"):
            try:
                done = subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, SHIM])
            except FileNotFoundError:
                continue
            if done.returncode == 0:
                break
        else:
            raise RuntimeError("no C compiler made the clock shim: install one")
        os.chmod(library, 0o755)
        self.set(0)
        self.environment = {"LD_PRELOAD": library, "TENURE_CLOCK_FILE": self.clock}
        words = [f"{name}={value}" for name, value in self.environment.items()]
        return super().start_server(home, port, before=(*before, "env", *words))

    def set(self, hours):
        """In place: it is mapped by those who read it."""
        self.hours = hours
        with open(self.clock, "r+b" if os.path.exists(self.clock) else "w+b") as file:
            file.write(struct.pack("=q", int(hours * 3600) * 10 ** 9))
        os.chmod(self.clock, 0o644)
