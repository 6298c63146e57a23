import Testing

@Suite struct WaitTests {
    @Test(arguments: cases) func `who waits starts behind those it waits for`(
        _ one: Case
    ) async throws {
        try await one.check()
    }

    static let cases: [Case] = jobs + keys + cancelled

    private static let jobs: [Case] = [
        .allowed("a job that starts when the one that it waits for is completed") { world in
            enqueue(&world)
            world.commit(world.start(1))
            world.commit(world.start(2))
        },
        .caught(by: 15, "a job that starts before the one that it waits for is over") { world in
            enqueue(&world)
            let first = world.start(1)
            world.commit(world.start(2))
            world.commit(first)
        },
        .caught(by: [7, 12, 15], "a job that starts, and what it waits for is never over") {
            world in
            enqueue(&world)
            world.commit(world.start(2))
            world.end(drainedAfter: nil)
        },
        .caught(by: 15, "a job that starts although what it waits for was discarded") { world in
            enqueue(&world)
            world.release(world.start(1), "discarded")
            world.commit(world.start(2))
        },
        .allowed("a job that goes on however that one ended") { world in
            enqueue(&world, goesOn: true)
            world.release(world.start(1), "discarded")
            world.commit(world.start(2))
        },
        .allowed("a job that waits for one that its own call had superseded") { world in
            world.transaction { world in
                world.insert(
                    "job_history", id(1),
                    [
                        "id": .text(id(1)), "outcome": "superseded", "attempt": 0,
                        "max_attempts": 5, "kind": "work", "queue": "default", "key": "a",
                    ])
            }
            enqueueWaiter(&world, goesOn: true)
            world.commit(world.start(2))
        },
        .allowed("a job that waits for one that is not kept") { world in
            world.keepNothing()
            world.enqueue(1) { $0.isUnkept = true }
            enqueueWaiter(&world, goesOn: false)
            world.commit(world.start(1))
            world.commit(world.start(2))
        },
    ]

    private static let keys: [Case] = [
        .allowed("a job that starts when the key that it waits for has committed") { world in
            enqueueForKey(&world)
            world.commit(world.start(1))
            world.commit(world.start(2))
        },
        .allowed("a job that starts when the successor has committed") { world in
            enqueueForKey(&world)
            world.enqueue(3) { $0.key = "a" }
            world.commit(world.start(3))
            world.commit(world.start(2))
        },
        .caught(by: 15, "a job that starts before the key that it waits for has committed") {
            world in
            enqueueForKey(&world)
            let first = world.start(1)
            world.commit(world.start(2))
            world.commit(first)
        },
        .caught(by: 15, "a job that starts when an older generation has committed") { world in
            world.work(3) { $0.key = "a" }
            enqueueForKey(&world)
            world.commit(world.start(2))
            world.commit(world.start(1))
        },
    ]

    private static let cancelled: [Case] = [
        .allowed("a job that is cancelled with the one that it waits for") { world in
            enqueue(&world)
            world.transaction { $0.finish(id(1), "cancelled") }
            cancelWaiter(&world)
        },
        .caught(by: 15, "a job that is cancelled although that one was completed") { world in
            enqueue(&world)
            world.commit(world.start(1))
            cancelWaiter(&world)
        },
        .caught(by: 15, "a job that is cancelled although it goes on however that one ends") {
            world in
            enqueue(&world, goesOn: true)
            world.transaction { $0.finish(id(1), "cancelled") }
            cancelWaiter(&world)
        },
        .caught(by: 15, "a job that is cancelled before the one that it waits for is") { world in
            enqueue(&world)
            cancelWaiter(&world)
            world.transaction { $0.finish(id(1), "cancelled") }
        },
    ]

    private static func enqueue(_ world: inout World, goesOn: Bool = false) {
        world.enqueue(1)
        enqueueWaiter(&world, goesOn: goesOn)
    }

    private static func enqueueWaiter(_ world: inout World, goesOn: Bool) {
        world.enqueue(2) {
            $0.state = "waiting"
            $0.after = [waitFor(1, goesOn: goesOn)]
        }
    }

    private static func enqueueForKey(_ world: inout World) {
        world.enqueue(1) { $0.key = "a" }
        world.enqueue(2) {
            $0.state = "waiting"
            $0.after = [["kind": "work", "key": "a"]]
        }
    }

    private static func cancelWaiter(_ world: inout World) {
        world.transaction {
            $0.finish(id(2), "cancelled", ["reason": "after: job 1 was cancelled"])
        }
    }
}
