"""What Awa does with jobs that do nothing: `awa_jobs.py URL JOBS`, in a database of its own. Prints
figures a second, and milliseconds from the end of an enqueue to the handler, as JSON."""
import asyncio
import json
import sys
import time
from dataclasses import dataclass

import awa

CALL, WORKERS, PRODUCERS, SINGLE, PICKS = 5_000, 500, 8, 20_000, 300
PATIENCE = 600


@dataclass
class Nothing:
    number: int


class Handled:
    """Counts what was handled, and tells when enough was."""

    def __init__(self):
        self.count, self.wanted, self.all, self.at = 0, 0, asyncio.Event(), {}

    def expect(self, more):
        self.wanted = self.count + more
        self.all.clear()

    def note(self, number):
        self.at[number] = time.monotonic()
        self.count += 1
        if self.count >= self.wanted:
            self.all.set()


async def timed(work):
    begun = time.monotonic()
    await work
    return time.monotonic() - begun


async def copy(client, jobs):
    for first in range(0, jobs, CALL):
        numbers = range(first, min(first + CALL, jobs))
        await client.enqueue_many_copy([Nothing(number) for number in numbers], queue="bench")


async def produce(client, each):
    for number in range(each):
        await client.insert(Nothing(number), queue="other")


async def pick_up(client, handled):
    """One at a time, while the worker has nothing else: milliseconds, sorted."""
    took = []
    for number in range(10**9, 10**9 + PICKS):
        handled.expect(1)
        await client.insert(Nothing(number), queue="bench")
        committed = time.monotonic()
        await asyncio.wait_for(handled.all.wait(), PATIENCE)
        took.append(max(handled.at[number] - committed, 0) * 1000)
        await asyncio.sleep(0.02)
    return sorted(took)


async def main(url, jobs):
    client = awa.AsyncClient(url, max_connections=PRODUCERS + 4)
    await client.migrate()
    await client.install_queue_storage(reset=True)
    handled = Handled()

    @client.task(Nothing, queue="bench")
    async def handle(job):
        handled.note(job.args.number)

    figures = {"enqueue": jobs / await timed(copy(client, jobs))}
    handled.expect(jobs)
    begun = time.monotonic()
    await client.start([("bench", WORKERS)])
    await asyncio.wait_for(handled.all.wait(), PATIENCE)
    figures["drain"] = jobs / (time.monotonic() - begun)
    await asyncio.sleep(2)
    took = await pick_up(client, handled)
    figures["pick-up-p50"] = took[len(took) // 2]
    figures["pick-up-p99"] = took[len(took) * 99 // 100]
    each = SINGLE // PRODUCERS
    took = await timed(asyncio.gather(*(produce(client, each) for _ in range(PRODUCERS))))
    figures["produce"] = each * PRODUCERS / took
    await client.shutdown()
    print(json.dumps(figures))


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
