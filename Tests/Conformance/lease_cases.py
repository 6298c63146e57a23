"""The lease: kept, lost, counted by the right clock, and what a worker's death does."""
from machine_clock import MachineClock
from world import LEASE, Wrong, expect


def renews(world):
    world.worker("ada")
    world.worker("bob")
    job = world.add("effect", seconds=LEASE * 2.5)
    world.wait(job, seconds=LEASE * 2.5 + 10)
    expect([len(world.told(job, "begun")), world.attempt(job), world.effects(job)], [1, 1, 1],
           "handlers begun, attempts, effects")
    return "a run of two and a half leases, beside another worker, ran once"


def killed(world):
    ada = world.worker("ada")
    job = world.add("effect", seconds=1.5)
    world.wait_told(job)
    world.worker("bob")
    ada.kill()
    world.wait(job, seconds=LEASE + 12)
    expect([len(world.told(job, "begun")), world.attempt(job), world.effects(job)], [2, 2, 1],
           "handlers begun, attempts, effects")
    return "killed in a handler: another declares it dead, attempt 2, one effect"


def charged(world):
    ada = world.worker("ada")
    job = world.add("sleep", seconds=60, options={"max_attempts": 1})
    world.wait_told(job)
    ada.kill()
    world.worker("bob")
    world.wait(job, "discarded", seconds=LEASE + 12)
    expect(len(world.told(job, "begun")), 1, "handlers begun with one attempt")
    return "killed in the only attempt: discarded, and not run again"


def frozen(world):
    ada = world.worker("ada")
    job = world.add("effect", seconds=1)
    world.wait_told(job)
    world.freeze(ada)
    bob = world.worker("bob")
    world.wait(job, seconds=LEASE + 12)
    world.thaw(ada)
    world.pause(2)
    expect(world.effects(job), 1, "effects")
    bob.child.terminate()
    world.wait_end(bob)
    lives = ada.lives
    if not lives:  # it may end itself: a supervisor starts it again
        world.worker("ada")
    world.wait(world.add("effect"))
    return ("frozen past its lease: another ran the job, one effect, and it "
            + ("claims again" if lives else "ended itself"))


def looks_at_clock(world):
    ada = world.worker("ada")
    job = world.add("wake", seconds=1)
    world.wait_told(job)
    world.freeze(ada)
    world.worker("bob")
    world.wait(job, seconds=LEASE + 12)
    world.thaw(ada)
    world.pause(2)
    expect(len(world.told(job, "outside")), 1, "effects outside of the database")
    return "frozen, then thawed before an outside effect: it asks the clock, and lets it be"


def last_tick(world, job, session, slack=0.0):
    """Whether anything was done behind the lease that the database knows of."""
    ticks, end = world.told(job, "tick"), world.beaten_at(session) + LEASE
    if not ticks or ticks[-1] > end + slack:
        late = f"{ticks[-1] - end:.2f} s behind" if ticks else "never"
        raise Wrong(f"a handler that ignores its end worked {late}, expected before the lease ends")
    return f"{end - ticks[-1]:.1f} s before"


def away(world):
    wire = world.wire()
    ada = world.worker("ada", wire)
    session = world.session(ada)
    job = world.add("ignore", seconds=LEASE * 3)
    world.wait_told(job, "tick")
    wire.hold()
    world.pause(LEASE * 1.5)
    return f"deaf handler, database away: stopped {last_tick(world, job, session)} the lease's end"


def gone(world):
    """Connections are refused, so that each beat fails at once."""
    wire = world.wire()
    ada = world.worker("ada", wire)
    session = world.session(ada)
    job = world.add("ignore", seconds=LEASE * 3)
    world.wait_told(job, "tick")
    wire.close()
    world.pause(LEASE * 1.5)
    return f"beats refused: stopped {last_tick(world, job, session)} the lease's end"


def heeded(world):
    wire = world.wire()
    ada = world.worker("ada", wire)
    job = world.add("sleep", seconds=LEASE * 1.2)
    world.wait_told(job)
    wire.hold()
    world.wait_told(job, "stopped:%", seconds=LEASE)
    wire.release()
    world.wait(job, seconds=LEASE + 12)
    expect([ada.lives, world.attempt(job)], [True, 1], "the worker lives, attempts charged")
    return "database away: stopped, handed back with its attempt, run again by the same process"


def reply(world):
    """The database takes a beat, and its answer is long on its way."""
    wire = world.wire()
    ada = world.worker("ada", wire)
    session = world.session(ada)
    job = world.add("ignore", seconds=LEASE * 4)
    world.wait_told(job, "tick")
    wire.hold(answers_only=True)
    first = world.beaten_at(session)
    world.pause(LEASE * 0.55)
    wire.hold()  # questions, too: from here on there is no beat more
    wire.holds_answers = False
    world.pause(0.1)
    wire.hold()
    world.pause(LEASE * 1.2)
    expect(world.beaten_at(session) > first, True, "a beat came through without its answer")
    seen = last_tick(world, job, session)
    return f"answers held up: stopped {seen} the lease's end, counted from before they were sent"


def clock(world):
    shim = MachineClock(world.rig.folder)
    world.worker("ada", more=shim.environment)
    job = world.add("effect", seconds=LEASE * 2)
    world.wait_told(job)
    shim.set(3600)
    world.pause(LEASE)
    shim.set(-3600)
    world.wait(job, seconds=LEASE + 12)
    expect([len(world.told(job, "begun")), world.effects(job), len(world.sessions())], [1, 1, 1],
           "handlers begun, effects, sessions")
    return "its wall clock an hour ahead, then an hour behind: the lease is kept"


def declared_dead(world):
    ada = world.worker("ada")
    job = world.add("sleep", seconds=4)
    world.wait_told(job)
    session = world.session(ada)
    world.query("UPDATE tenure.session SET ended_at = clock_timestamp(), died = true"
                " WHERE id = %s", [session])
    world.wait_told(job, "stopped:%", seconds=LEASE)
    world.wait(job, seconds=LEASE + 12)
    expect([ada.lives, len(world.sessions())], [True, 2], "the worker lives, sessions")
    return "declared dead while it lives: stopped at the next beat, a new session runs the job"


CASES = {case.__name__.replace("_", "-"): case for case in (
    renews, killed, charged, frozen, looks_at_clock, away, gone, heeded, reply, clock,
    declared_dead)}
