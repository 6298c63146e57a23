"""A wall clock that goes as far ahead as we say, for a server and whatever else is given it."""
import os
import struct
import subprocess

SHIM = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                    "../Faults/Rig/Machine/clock-shim.c")


class MachineClock:
    """The clock shim of the fault rig; `environment` is for those who are to see this clock."""

    def __init__(self, folder):
        library, self.file = f"{folder}/clock.so", f"{folder}/clock"
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
        self.environment = {"LD_PRELOAD": library, "TENURE_CLOCK_FILE": self.file}

    def set(self, seconds):
        """In place: it is mapped by those who read it."""
        with open(self.file, "r+b" if os.path.exists(self.file) else "w+b") as file:
            file.write(struct.pack("=q", int(seconds) * 10 ** 9))
        os.chmod(self.file, 0o644)
