"""Workers whose clock is wrong, or is set while they run: jobs still end, none of them twice.

The clocks of a worker's process are shifted by the rig's shim, which leaves those that count from
the machine's start alone, as whoever sets a real clock does."""
import os
import random
import shutil
import struct
import subprocess
import threading
import time

from rig import wait_until

SHIM = "../../Faults/Rig/Machine/clock-shim.c"
HOUR = 3600
# (what, seconds ahead at the start, then set to these, one each 1.5 s)
CASES = (
    ("an hour ahead", HOUR, ()), ("an hour behind", -HOUR, ()),
    ("30 years ahead", 30 * 365 * 24 * HOUR, ()), ("in 1970", None, ()),
    ("set back by an hour", 0, (-HOUR,)), ("set forward by an hour", 0, (HOUR,)),
    ("back and forth", 0, (HOUR, -HOUR, 0, 24 * HOUR, -24 * HOUR, 0)),
    ("set back by a lease, again and again", 0, (-3, -6, -9, -12, -15)))


class Clock:
    """What a worker's process takes for the time."""

    def __init__(self, path, seconds):
        self.path = path
        with open(path, "wb") as file:
            file.write(struct.pack("q", int(seconds * 1e9)))

    def set(self, seconds):
        with open(self.path, "r+b") as file:
            file.write(struct.pack("q", int(seconds * 1e9)))


def one(rig, front, shim, number):
    what, begin, steps = CASES[number]
    database = rig.database(f"clocks_{number}")
    begin = -time.time() + 1000 if begin is None else begin
    clock = Clock(f"{rig.folder}/clock-{number}", begin)
    worker = database.worker("--queue", "default:8", "--exit-when-stuck", "60s", more={
        "LD_PRELOAD": shim, "TENURE_CLOCK_FILE": clock.path})
    steady = database.worker("--queue", "default:2")
    # A lane and its interval, delays, keys, expiries: all that has to do with time.
    jobs, expired = [], []

    def enqueue(**more):
        jobs.append(database.enqueue("demo-sleep", more.pop("payload", '{"seconds":0.2}'), **more))
    for _ in range(4):
        enqueue(payload='{"seconds":5}')
        enqueue(after="2 s")
        enqueue(lane="a")
        enqueue(expires_in="1 hour")
        enqueue(key=f"k{len(jobs)}", mode="debounced", after="1 s", max_wait="3 s")
        expired.append(database.enqueue("demo-sleep", "{}", queue="nobody", expires_in="1 s"))
    coordinator = database.start("coordinator", "--lease", "3s", more={
        "LD_PRELOAD": shim, "TENURE_CLOCK_FILE": clock.path})
    retried = database.enqueue("demo-fail", '{"message":"x"}', max_attempts=2)
    for step in steps:
        time.sleep(1.5)
        clock.set(step)
        enqueue()
    problem = database.wait_for(jobs, 25) or database.wait_for(expired + [retried], 15,
                                                               ("discarded",))
    # Nobody was killed: whatever a clock says, no attempt is lost and nothing runs again.
    again = database.query("SELECT id::text, runs, attempt FROM tenure.job_history WHERE "
                           "kind = 'demo-sleep' AND runs > 1 AND outcome = 'completed'")
    died = database.query("SELECT id FROM tenure.session WHERE died")
    looks = database.looks()
    doctor = database.tenure("doctor").text
    wrong = [one for one in (
        problem, again and f"ran more than once: {again[:3]}", died and f"sessions died: {died}",
        looks, worker.death, steady.death, coordinator.death) if one]
    if abs(begin) >= HOUR and not steps and "clock" not in doctor.replace("ok    clock", ""):
        wrong.append("the doctor has no line about a clock that is wrong")
    front.judge(f"a worker and coordinator {what}", "; ".join(wrong),
                "each job ends, once; nobody is declared dead", f"{len(jobs)} completed")
    for process in (worker, steady, coordinator):
        code = process.stop(12)
        if code != 0:
            front.failed(f"{what}: SIGTERM", "exit code 0", f"{code}: {process.log[-200:]}")


def run(rig, front):
    compiler = shutil.which("clang") or shutil.which("gcc") or shutil.which("cc")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), SHIM)
    shim = f"{rig.folder}/clock-shim.so"
    if not compiler:
        front.note("there is no C compiler: nothing was tried")
        return
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", shim, source], check=True,
                   capture_output=True)
    numbers = list(range(len(CASES)))
    if not rig.is_long:
        numbers = random.Random(rig.seed).sample(numbers, 4)
    for first in range(0, len(numbers), 2):
        pair = [threading.Thread(target=one, args=(rig, front, shim, number))
                for number in numbers[first:first + 2]]
        for thread in pair:
            thread.start()
        for thread in pair:
            thread.join()
    wait_until(lambda: True, 0)
