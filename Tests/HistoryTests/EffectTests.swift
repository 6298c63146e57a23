import Testing

@Suite struct EffectTests {
    @Test(arguments: cases) func `no effect starts too late`(_ one: Case) async throws {
        try await one.check()
    }

    /// A run that was cancelled in time and whose handler goes on all the same.
    private static func cancelled(_ world: inout World) -> MadeRun {
        world.enqueue(1)
        let run = world.start(1)
        world.pass(2.9)
        world.event(run, "cancelDelivered", ["reason": "leaseExpired"])
        return run
    }

    /// Its end, and the job's next run.
    private static func end(_ run: MadeRun, _ world: inout World) {
        world.event(run, "handlerEnded", ["how": "cancelled"])
        world.release(run)
        world.commit(world.start(1, by: 2))
    }

    /// The claim's answer was long on its way: the lease ended meanwhile.
    private static func claimedWithoutALease(_ world: inout World) -> MadeRun {
        world.enqueue(1)
        world.pass(3)
        world.log("w1", "leaseExpired", ["session": 1])
        world.pass(1)
        return world.claim(1)
    }

    static let cases: [Case] = [
        .caught(by: 6, "a look after the hard stop that lets an effect start") { world in
            let run = cancelled(&world)
            world.pass(0.7)
            world.event(run, "effectStarting")
            end(run, &world)
        },
        .caught(by: 6, "an effect that is sent long after its look") { world in
            let run = cancelled(&world)
            world.pass(0.3)
            world.effect(run, sentAfter: 0.5)
            world.pass(0.6)
            end(run, &world)
        },
        .caught(by: 6, "a second effect by a process that was frozen before the first") { world in
            let run = cancelled(&world)
            world.freeze(for: 10)
            world.pass(10.1)
            world.effect(run)
            world.pass(0.5)
            world.effect(run)
            end(run, &world)
        },
        .caught(by: 6, "an effect by a process that thawed long before the hard stop") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.freeze(for: 1)
            world.pass(2.9)
            world.event(run, "cancelDelivered", ["reason": "leaseExpired"])
            world.pass(0.7)
            world.event(run, "effectStarting")
            end(run, &world)
        },
        .caught(by: 6, "an effect of a run that was claimed without a lease and started so") {
            world in
            let run = claimedWithoutALease(&world)
            world.event(run, "handlerStarted")
            world.pass(0.3)
            world.beat()
            world.effect(run)
            world.pass(0.02)
            world.commit(run)
        },
        .caught(by: 6, "an effect after the end of the lease that a beat had brought back") {
            world in
            let run = claimedWithoutALease(&world)
            world.beat()
            world.event(run, "handlerStarted")
            world.pass(2.9)
            world.event(run, "cancelDelivered", ["reason": "leaseExpired"])
            world.pass(0.7)
            world.event(run, "effectStarting")
            end(run, &world)
        },
        .allowed("an effect of a run that waited for a lease, and started when it was back") {
            world in
            let run = claimedWithoutALease(&world)
            world.beat()
            world.event(run, "handlerStarted")
            world.effect(run)
            world.pass(0.02)
            world.commit(run)
        },
        .caught(by: 6, "an effect after a later fence had started") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.cancel(run, "shutdown")
            let later = world.start(1, by: 2)
            world.pass(0.01)
            world.effect(run)
            world.pass(0.02)
            world.commit(later)
        },
        .allowed("an effect within the delay of stopping") { world in
            let run = cancelled(&world)
            world.pass(0.3)
            world.effect(run)
            world.pass(0.1)
            end(run, &world)
        },
        .allowed("an effect by a process that was frozen between its look and the sending") {
            world in
            world.enqueue(1)
            let run = world.start(1)
            world.pass(2)
            world.effect(run, sentAfter: 10)
            world.freeze(for: 9.9)
            world.pass(8)
            world.declareDead()
            world.release(run, isRefunded: false)
            world.commit(world.start(1, by: 2))
            world.pass(1.9)
            world.event(run, "cancelDelivered", ["reason": "leaseExpired"])
        },
        .allowed("a look that a freeze kept from being written") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.pass(2)
            world.freeze(for: 10)
            world.pass(10)
            world.event(run, "cancelDelivered", ["reason": "leaseExpired"])
            world.effect(run)
            world.pass(0.05)
            end(run, &world)
        },
        .allowed("a later fence that was claimed and had not started") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.cancel(run, "shutdown")
            let later = world.claim(1, by: 2)
            world.effect(run)
            world.pass(0.02)
            world.event(later, "handlerStarted")
            world.commit(later)
        },
    ]
}
