"""What stops a run or a worker: cancel, supersede, shutdown, an operator, the server's faults."""
from rig import wait_until
from world import LEASE, Wrong, expect


def cancel(world):
    world.worker()
    job = world.add("sleep", seconds=60)
    world.wait_told(job)
    world.query("SELECT tenure.cancel_job(%s, 'the suite')", [job])
    world.wait(job, "cancelled", seconds=LEASE)
    expect([world.attempt(job), len(world.reasons(job))], [0, 1], "attempts, handlers stopped")
    return "the handler is stopped, no attempt"


def supersede(world):
    world.worker()
    options = {"key": "one", "mode": "superseding"}
    old = world.add("sleep", seconds=60, options=options)
    world.wait_told(old)
    new = world.add("effect", options=options)
    world.wait(old, "superseded", seconds=LEASE)
    world.wait(new)
    expect([world.attempt(old), len(world.reasons(old))], [0, 1], "attempts, handlers stopped")
    return "the older run is stopped, the newer job completed"


def late(world):
    ada = world.worker("ada")
    options = {"key": "one", "mode": "superseding"}
    old = world.add("effect", hold=1.5, options=options)
    world.wait_told(old)
    world.pause(0.5)
    new = world.add("effect", options=options)
    wait_until(lambda: world.state(old) != "running" or not ada.lives, 5)
    if not ada.lives:  # the handler is deaf meanwhile: it may end itself, and is started again
        world.worker("ada")
    world.wait(old, "superseded")
    world.wait(new)
    expect([world.effects(old), world.effects(new)], [0, 1], "effects of the older, of the newer")
    return "superseded between write and commit: nothing of it is there"


def statement(world):
    world.worker()
    job = world.add("sql", seconds=60)
    running = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%%pg_sleep%%' " \
              "AND state = 'active' AND pid <> pg_backend_pid() AND datname = current_database()"
    wait_until(lambda: world.query(running)[0][0], 10, 0.05)
    world.query("SELECT tenure.cancel_job(%s, 'the suite')", [job])
    world.wait(job, "cancelled", seconds=LEASE + 2)
    expect(wait_until(lambda: world.query(running)[0][0] == 0, 2), True, "the statement has ended")
    return "a handler's statement is cancelled on the server"


def shutdown(world):
    ada = world.worker(grace=1)
    job = world.add("sleep", seconds=60)
    world.wait_told(job)
    ada.child.terminate()
    expect(world.wait_end(ada), 0, "the exit code")
    expect([world.state(job), world.attempt(job)], ["available", 0], "the job, attempts")
    expect(world.sessions()[0][1:3], (False, False), "the session lives, died")
    return "handed back at once with its attempt, the session closed, exit code 0"


def grace(world):
    ada = world.worker(grace=20)
    job = world.add("effect", seconds=2)
    world.wait_told(job)
    ada.child.terminate()
    world.pause(0.5)
    later = world.add("sleep")
    expect(world.wait_end(ada), 0, "the exit code")
    expect([world.state(job), world.state(later)], ["completed", "available"],
           "what ran, what came later")
    return "what runs completes within the grace, nothing new is claimed, exit code 0"


def stop_asked(world):
    ada = world.worker(grace=1)
    job = world.add("sleep", seconds=60)
    world.wait_told(job)
    world.query("UPDATE tenure.session SET stop_at = now(), stop_by = 'the suite'")
    expect(world.wait_end(ada, LEASE * 2 + 4), 0, "the exit code")
    expect([world.state(job), world.attempt(job)], ["available", 0], "the job, attempts")
    return "an operator's wish is heard with a beat, and heeded as a shutdown"


def terminated(world):
    ada = world.worker()
    jobs = [world.add("effect", seconds=0.4) for _ in range(12)]
    for _ in range(3):
        world.pause(0.6)
        world.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename ="
                    " 'conformance' AND datname = current_database()")
    for job in jobs:
        if not wait_until(lambda: world.state(job) in ("completed", "retryable"), LEASE + 12):
            raise Wrong(f"a job is {world.state(job)}, expected completed")
    world.query("UPDATE tenure.job SET run_at = now() WHERE state = 'retryable'")
    for job in jobs:
        world.wait(job)
        expect(world.effects(job), 1, "effects of a job")
    expect([ada.lives, len(world.sessions())], [True, 1], "the worker lives, sessions")
    return "all its backends ended three times: 12 jobs completed, one effect each, one session"


def restart(world):
    ada = world.worker()
    jobs = [world.add("effect", seconds=0.4) for _ in range(12)]
    world.pause(0.6)
    world.rig.crash()
    world.pause(1)
    world.rig.restart()
    world.query("UPDATE tenure.job SET run_at = now() WHERE state = 'retryable'")
    for job in jobs:
        world.wait(job, seconds=LEASE + 15)
        expect(world.effects(job), 1, "effects of a job")
    expect(ada.lives, True, "the worker lives")
    return "PostgreSQL crashed and came back: 12 jobs completed, one effect each"


CASES = {case.__name__.replace("_", "-"): case for case in (
    cancel, supersede, late, statement, shutdown, grace, stop_asked, terminated, restart)}
