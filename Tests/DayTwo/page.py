"""The commands of a page, as they stand there.

A block that is run has a name behind its language (```sh stop), which nobody sees who reads the
page. All of a page's blocks have one, and each is run or read by the test of the page."""
import pathlib
import re
import subprocess
import textwrap
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^ *```(\S*) ?(\S*)\n(.*?)^ *```$", re.M | re.S)


class PageError(Exception):
    """A command of the page failed, or the page and its test don't fit."""


class Page:
    def __init__(self, path, place, without=()):
        self.path, self.place, self.without = path, place, set(without)
        self.text = (ROOT / path).read_text()
        self.blocks, self.used, self.took = {}, set(), {}
        for language, name, text in BLOCK.findall(self.text):
            if not name or name in self.blocks:
                raise PageError(f"{path}: a block without a name of its own: {text[:60]!r}")
            self.blocks[name] = (language, textwrap.dedent(text))
        self.environment = {}

    def names(self, block, **values):
        """Gives the variables of a block of examples (export A=…) their values here."""
        found = set(re.findall(r"\b([A-Z][A-Z_]*)=", self.blocks[block][1]))
        if found != set(values):
            raise PageError(f"{self.path}, {block}: names {sorted(found)}, and the test has "
                            f"{sorted(values)}")
        self.used.add(block)
        self.environment.update(values)

    def run(self, block, *, fails=False, seconds=120, **more):
        """Runs a block as it stands, by the user of the server; what it printed."""
        self.used.add(block)
        if block in self.without:
            return ""
        language, text = self.blocks[block]
        if language not in ("sh", "sql"):
            raise PageError(f"{self.path}, {block}: {language} isn't run")
        command = ["bash", "-euo", "pipefail", "-c", text] if language == "sh" else [
            "psql", "-XAt", "-v", "ON_ERROR_STOP=1", "-c", text]
        begun = time.monotonic()
        try:
            done = subprocess.run(
                [*self.place.as_user, *command], stdin=subprocess.DEVNULL,
                env=self.place.environ({**self.environment, **more}), cwd=self.place.open_folder,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds)
        except subprocess.TimeoutExpired as late:
            raise PageError(f"{self.path}, {block}: no end within {seconds} s") from late
        self.took[block] = time.monotonic() - begun
        if (done.returncode != 0) != fails:
            raise PageError(f"{self.path}, {block}: exit code {done.returncode}: "
                            f"{done.stdout.strip()[-1500:]}")
        return done.stdout

    def untried(self):
        """What of the page nobody has run or read."""
        return [f"{self.path}: nobody runs {name}" for name in self.blocks
                if name not in self.used]
