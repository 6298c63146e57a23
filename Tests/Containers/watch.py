"""From a broken page to a notice, on the stack that is up: nobody runs a command but to add."""
import json
import os
import subprocess
import tempfile
import time

from engine import CACHE, call, until
from report import expect

HERE = os.path.dirname(os.path.abspath(__file__))


class Sinks:
    """In the network of the database's container, where the stack's own containers find them."""

    def __init__(self, stack, folder):
        container = stack.ids(stack.database)[0]
        process = call("docker", "inspect", "-f", "{{.State.Pid}}", container).stdout.strip()
        self.process = subprocess.Popen(
            ["nsenter", f"--net=/proc/{process}/ns/net", f"{CACHE}/aiosmtpd-1.4.6/bin/python",
             f"{HERE}/sinks", stack.database, folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.places = json.loads(self.process.stdout.readline())

    def tell(self, word="count"):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        self.process.wait(10)


def step_watch(stack):
    with tempfile.TemporaryDirectory() as folder:
        sinks = Sinks(stack, folder)
        try:
            watch(stack, sinks)
        finally:
            sinks.stop()


def watch(stack, sinks):
    def tenure(*words):
        call("docker", "exec", stack.ids("worker")[0], "tenure", *words)

    finished = "SELECT count(*) FROM content.site_check WHERE finished_at IS NOT NULL"
    tenure("notify", "add", "hook", "--webhook", sinks.places["hook"],
           "--secret-env", "TENURE_SECRET_LOOP")
    tenure("notify", "add", "mail", "--mail", "ops@example.org", "--from", "tenure@example.org",
           "--server", sinks.places["mail"], "--plain")
    tenure("host", "set", stack.database, "--own")
    tenure("site", "add", sinks.places["site"], "--every", "2s", "--contact", "ops@example.org",
           "--notify", "hook", "--notify", "mail")
    until("the first check has ended", 120, lambda: stack.number(finished) >= 1)
    for word, wanted in (("break", 1), ("mend", 2)):
        start = time.monotonic()
        sinks.tell(word)
        until(f"a notice at both sinks after {word}", 60, lambda: min(
            len(sinks.tell()["hook"]), len(sinks.tell()["mail"])) >= wanted)
        took = time.monotonic() - start
        seen = stack.number(finished)
        until("two checks more", 60, lambda: stack.number(finished) >= seen + 2)
        told = sinks.tell()
        expect(f"told once each by webhook and mail, after {word}",
               len(told["hook"]) == len(told["mail"]) == wanted and not told["wrong"]
               and set(told["hook"]) == set(told["mail"]), f"{took:.1f} s")
    tenure("site", "remove", sinks.places["site"])
