"""Two workers under load, killed and frozen at random beside `tenure coordinator`."""
import random
import time

from rig import wait_until
from world import LEASE, World


def run(rig, command, seconds):
    world, chance = World(rig, command, "chaos"), random.Random(rig.seed)
    try:
        return judge(world, *play(world, chance, seconds))
    finally:
        world.close()


def play(world, chance, seconds):
    """Hurts one worker after another; the jobs, and how often each hurt was done."""
    world.database.start("coordinator", "--lease", f"{LEASE:.0f}s")
    workers = {name: world.worker(name, slots=8) for name in ("ada", "bob")}
    end, jobs, hurts = time.monotonic() + seconds, [], {"killed": 0, "frozen": 0}
    while time.monotonic() < end:
        jobs += add(world, 40, chance.uniform(0.1, 1), chance.random() * 0.3)
        time.sleep(chance.uniform(0.3, 1.5))
        name = chance.choice(list(workers))
        if chance.random() < 0.5:
            workers[name].kill()
            workers[name] = world.worker(name, slots=8, ready=False)
            hurts["killed"] += 1
        else:
            world.freeze(workers[name])
            time.sleep(chance.uniform(0.2, LEASE * 1.8))
            world.thaw(workers[name])
            hurts["frozen"] += 1
        supervise(world, workers)
    return jobs, hurts, workers


def add(world, count, seconds, hold):
    """In one transaction: the load is the workers', not ours."""
    return [row[0] for row in world.query(
        "SELECT e.job_id::text FROM generate_series(1, %s) AS g (n), tenure.enqueue('script',"
        " jsonb_build_object('do', 'effect', 'n', g.n, 'seconds', %s::float8, 'hold', %s::float8),"
        " max_attempts => 100, notify => true) AS e", [count, seconds, hold])]


def supervise(world, workers):
    """A worker may end itself, when its handlers ignore that they must stop. And the coordinator
    pauses a kind whose workers die one after another: here they do, and not because of it."""
    world.query("UPDATE tenure.kind SET paused_at = NULL, paused_by = NULL")
    for name, worker in workers.items():
        if not worker.lives:
            workers[name] = world.worker(name, slots=8, ready=False)


def judge(world, jobs, hurts, workers):
    def drained():
        supervise(world, workers)
        return world.query("SELECT count(*) FROM tenure.job")[0][0] == 0
    wait_until(drained, 60, 0.5)
    outcomes = world.database.outcomes(jobs)
    lost = sum(states != ["completed"] for states in outcomes.values())
    doubled = world.query("SELECT count(*) FROM (SELECT job FROM conformance.effect"
                          " GROUP BY job HAVING count(*) > 1) AS j")[0][0]
    done = world.query("SELECT count(DISTINCT job) FROM conformance.effect")[0][0]
    begun = world.query("SELECT count(*) FROM conformance.event WHERE what = 'begun'")[0][0]
    is_right = lost == 0 and doubled == 0 and done == len(jobs)
    print(f"{'✔' if is_right else '✘'} chaos: {len(jobs)} jobs, {begun} handlers begun, "
          f"{hurts['killed']} kills, {hurts['frozen']} freezes: {done} with their effect, "
          f"{doubled} with two, {lost} not completed")
    print(f"{int(is_right)} passed, {int(not is_right)} failed")
    return 0 if is_right else 1
