"""One line an attack: what was done, what was expected, what was seen."""
import threading
import time


def one_line(text, most=400):
    """Printable, whatever the product printed."""
    text = " ".join(str(text).split())
    text = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
    return text if len(text) <= most else text[:most] + " …"


class Front:
    """The results of one front, printed as they come."""

    def __init__(self, report, name):
        self.report, self.name, self.passes, self.failures = report, name, 0, 0

    def passed(self, done, seen=""):
        self.passes += 1
        seen = f": {one_line(seen)}" if seen else ""
        self.report.line(f"✔ {self.name}: {one_line(done)}{seen}")

    def failed(self, done, expected, seen):
        self.failures += 1
        self.report.line(f"✘ {self.name}: {one_line(done)}: expected {one_line(expected)}; "
                         f"seen: {one_line(seen)}")

    def judge(self, done, problem, expected, seen=""):
        """`problem` is what was seen against the promise, or nothing."""
        if problem:
            self.failed(done, expected, problem)
        else:
            self.passed(done, seen)

    def note(self, text):
        self.report.line(f"· {self.name}: {one_line(text)}")

    def close(self, took):
        self.report.add(self)
        self.report.line(f"── {self.name}: {self.passes} passed, {self.failures} failed, "
                         f"{took:.0f} s")


class Report:
    def __init__(self):
        self.lock, self.begun = threading.Lock(), time.monotonic()
        self.count_passed = self.count_failed = 0

    def front(self, name):
        return Front(self, name)

    def line(self, text):
        with self.lock:
            print(text, flush=True)

    def add(self, front):
        with self.lock:
            self.count_passed += front.passes
            self.count_failed += front.failures

    def closing(self):
        return f"{self.count_passed} passed, {self.count_failed} failed"
