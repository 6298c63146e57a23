"""Jobs that belong together: what a commit enqueues, batches, lanes."""
from world import expect

SUPERSEDING = {"key": "one", "mode": "superseding"}


def follow_ups(world):
    world.worker()
    old = world.add("follow", hold=1.5, options=SUPERSEDING)
    world.wait_told(old)
    world.pause(0.5)
    new = world.add("follow", options=SUPERSEDING)
    world.wait(old, "superseded")
    world.wait(new)
    found = world.query("SELECT id::text, payload ->> 'of' FROM tenure.job_seen"
                        " WHERE payload ? 'of' UNION ALL SELECT id::text, payload ->> 'of'"
                        " FROM tenure.job_history"
                        " WHERE payload ? 'of'")
    expect([of for _, of in found], [new], "whom what was enqueued comes from")
    world.wait(found[0][0])
    return "the late commit enqueued nothing, the other its follow-up, which ran"


def batches(world):
    batch = "0198f4b2-0000-7000-8000-000000000001"
    world.query("SELECT tenure.start_batch(%s, %s)", [batch, (
        '[{"kind": "script", "payload": {"do": "result", "result": {"end": 1}}}]')])
    member = {"batch_id": batch}
    tree = world.add("follow", seconds=0.5, options=member)
    others = [world.add("sleep", options=member), world.add("discard", reason="no", options=member)]
    world.worker()
    world.wait(tree)
    world.wait(others[0])
    world.wait(others[1], "discarded")

    def end():
        return world.query("SELECT id::text FROM tenure.job_seen WHERE payload ->> 'do' = 'result'"
                           " UNION ALL SELECT id::text FROM tenure.job_history"
                           " WHERE payload ->> 'do' = 'result'")
    world.wait_for(end, "the job at the batch's end", seconds=15)
    expect(len(end()), 1, "jobs at the batch's end")
    world.wait(end()[0][0])
    expect(world.query("SELECT count(*) FROM tenure.job_history h WHERE h.batch_id = %s AND"
                       " h.finished_at > (SELECT e.created_at FROM tenure.job_history e"
                       " WHERE e.id = %s)", [batch, end()[0][0]])[0][0], 0,
           "jobs of the batch that ended behind its end")
    return "four jobs, one of them a follow-up, and then the job at the batch's end, once"


def lanes(world):
    lane = {"lane": "one", "lane_max_running": 1}
    jobs = [world.add("sleep", seconds=0.2, options=lane) for _ in range(8)]
    strict = {"lane": "two", "lane_max_running": 1, "lane_strict": True}
    first = world.add("retry", after=2, reason="again", options={**strict, "max_attempts": 2})
    second = world.add("sleep", options=strict)
    world.worker("ada")
    world.worker("grace")
    for job in jobs:
        world.wait(job)
    world.wait(first, "discarded")
    world.wait(second)
    expect(world.query(
        "SELECT count(*) FROM tenure.job_history a JOIN tenure.job_history b ON a.id < b.id"
        " AND a.lane = b.lane AND a.claimed_at < b.finished_at AND b.claimed_at < a.finished_at")
        [0][0], 0, "jobs of a lane that ran at the same time")
    if world.told(second, "begun")[0] < world.told(first, "begun")[-1]:
        expect("before", "behind", "in strict order the second began")
    return "one at a time on two workers; in strict order behind the last attempt"


CASES = {case.__name__.replace("_", "-"): case for case in (follow_ups, batches, lanes)}
