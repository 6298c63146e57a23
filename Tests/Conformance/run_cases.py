"""What a run is, from its claim to its end."""
from rig import wait_until
from world import LOGIN, Wrong, expect


def completes(world):
    world.worker()
    jobs = [world.add("sleep") for _ in range(20)]
    for job in jobs:
        world.wait(job)
        expect(len(world.told(job, "begun")), 1, "handlers begun for one job")
    return "20 jobs, each begun once"


def effects(world):
    world.worker()
    jobs = [world.add("effect") for _ in range(10)]
    for job in jobs:
        world.wait(job)
        expect(world.effects(job), 1, "effects of a completed job")
    expect(world.query("SELECT count(*) FROM conformance.effect e JOIN tenure.job_history h"
                       " ON h.id = e.job AND h.fence = e.fence AND h.xmin = e.xmin")[0][0], 10,
           "effects in the transaction of their completion")
    return "10 effects, each in its completion's transaction"


def answers(world):
    world.worker()
    failed, again = world.add("fail", reason="so"), world.add("retry", after=60, reason="later")
    snoozed, dropped = world.add("snooze", after=60), world.add("discard", reason="no use")
    told = world.add("result", result={"n": 7})
    spent = world.add("fail", options={"max_attempts": 1})
    world.wait(failed, "retryable")
    world.wait(again, "retryable")
    world.wait(snoozed, "scheduled")
    world.wait(dropped, "discarded")
    world.wait(told)
    world.wait(spent, "discarded")
    expect([world.attempt(one) for one in (failed, again, snoozed)], [1, 1, 0], "attempts")
    expect(world.reason(dropped), "no use", "why it was discarded")
    expect(world.query("SELECT result FROM tenure.job_history WHERE id = %s", [told])[0][0],
           {"n": 7}, "the result")
    expect(world.query("SELECT run_at > now() + interval '50 s' FROM tenure.job WHERE id = ANY(%s)",
                       [[again, snoozed]]), [(True,), (True,)], "a minute's pause is kept")
    expect(world.query("SELECT message FROM tenure.attempt_error WHERE job_id = %s",
                       [failed])[0][0], "so", "the error")
    return "failure, retry, snooze, discard, result and spent attempts as they were said"


def unreadable(world):
    world.worker()
    strange, other = world.add("what nobody knows"), world.add("sleep")
    world.wait(other)
    world.wait(strange, "held")
    expect(world.attempt(strange), 0, "attempts of a held job")
    return "held, no attempt, others go on"


def kinds(world):
    foreign = world.add("sleep", kind="another")
    newer = world.add("sleep", options={"payload_version": 2})
    world.worker()
    world.wait(world.add("sleep"))
    expect([world.state(foreign), world.state(newer)], ["available"] * 2,
           "a kind, and a payload version, that it doesn't know")
    return "kinds and payload versions of others are left alone"


def slots(world):
    jobs = [world.add("sleep", seconds=0.3) for _ in range(40)]
    world.worker(slots=2)
    most = 0

    def done():
        nonlocal most
        most = max(most, world.query(
            "SELECT (SELECT count(*) FROM tenure.job WHERE state = 'running')"
            " + (SELECT count(*) FROM tenure.folded_run)")[0][0])
        return world.query("SELECT count(*) FROM tenure.job_history")[0][0] >= 10
    wait_until(done, 15, 0.01)
    if not 1 <= most <= 2:
        raise Wrong(f"{most} of {len(jobs)} jobs claimed at a time, expected 2: one for each slot")
    return f"{most} claimed at a time with 2 slots"


def wakes(world):
    worker = world.worker(poll=60)
    world.pause(2)
    took = []
    for _ in range(3):
        job = world.add("sleep")
        world.wait(job, seconds=10)
        took += world.query(
            "SELECT extract(epoch FROM claimed_at - created_at)::float8 FROM tenure.job_history"
            " WHERE id = %s", [job])[0]
        world.pause(0.5)
    if max(took) > 2:
        raise Wrong(f"{worker.name} took {max(took):.1f} s to hear of a job, expected below 2 s")
    return f"a job is heard of within {max(took) * 1000:.0f} ms"


def waiters(world):
    world.worker()
    first = world.add("effect", seconds=1)
    second = world.add("sleep", options={"after_completed": [first]})
    world.wait(first)
    world.wait(second, seconds=12)
    return "who waits for a job goes on behind its end"


def isolation(world):
    world.query(f"ALTER ROLE {LOGIN} SET default_transaction_isolation = 'serializable'")
    try:
        world.worker()
        job = world.add("effect")
        world.wait(job)
        expect(world.effects(job), 1, "effects")
    finally:
        world.query(f"ALTER ROLE {LOGIN} RESET default_transaction_isolation")
    return "claims though the login's default is SERIALIZABLE"


def unknown(world):
    worker = world.worker()
    world.query("UPDATE tenure.session SET queues = queues")
    # A claim in the worker's name, whose answer it never gets.
    world.query("INSERT INTO tenure.queue (name, paused_at) VALUES ('default', now())"
                " ON CONFLICT (name) DO UPDATE SET paused_at = now()")
    job = world.add("sleep", options={"max_attempts": 1, "queue": "lost"})
    expect(len(world.query("SELECT id FROM tenure.claim(%s, 'lost', '{script}', 1)",
                           [world.session(worker)])), 1, "jobs claimed in its name")
    world.wait(job, "available", seconds=10)
    expect(world.attempt(job), 0, "attempts of a run that nobody began")
    return "handed back, no attempt"


UNSAID = """
    CREATE TABLE conformance.cut ();
    GRANT SELECT ON conformance.cut TO tenure_worker;
    ALTER FUNCTION tenure.note_begun RENAME TO note_begun_kept;
    CREATE FUNCTION tenure.note_begun(
        session bigint, of_queue text, number bigint, since bigint, lows bigint[], highs bigint[])
    RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(9) FROM conformance.cut;
        RETURN tenure.note_begun_kept(session, of_queue, number, since, lows, highs);
    END $$;
    INSERT INTO conformance.cut DEFAULT VALUES;
"""


def unsaid(world):
    ada = world.worker()
    world.query(UNSAID)
    # More than it has slots for: those that it forgets would be in the others' way.
    jobs = [world.add("effect", options={"max_attempts": 1}) for _ in range(6)]
    world.pause(2)
    world.query("DELETE FROM conformance.cut")
    for job in jobs:
        world.wait(job)
        expect(world.effects(job), 1, "effects of a job")
    expect([ada.lives, len(world.sessions())], [True, 1], "the worker lives, sessions")
    return "its connections ended where it said what begins: each ran in its only attempt"


CASES = {case.__name__: case for case in (
    completes, effects, answers, unreadable, kinds, slots, wakes, waiters, isolation, unknown,
    unsaid)}
