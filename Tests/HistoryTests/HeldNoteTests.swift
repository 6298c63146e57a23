import Testing

/// A handler that kills its process while the network keeps what the process sends.
@Suite struct HeldNoteTests {
    @Test(arguments: cases) func `an attempt is given back only where its note was lost`(
        _ one: Case
    ) async throws {
        try await one.check()
    }

    static let cases: [Case] = [
        .allowed("a job that kills its process, whose note is held and lost") { world in
            hold(&world, "w1", "requests are held", for: 9)
            crash(&world)
        },
        .caught(by: 9, "the same, while what another process sends is held") { world in
            hold(&world, "w2", "requests are held", for: 9)
            crash(&world)
        },
        .caught(by: 9, "the same, while what the process is sent is held") { world in
            hold(&world, "w1", "answers are held", for: 9)
            crash(&world)
        },
        .caught(by: 9, "the same, after what the process sent was held") { world in
            hold(&world, "w1", "requests are held", for: 0)
            world.pass(1)
            crash(&world)
        },
    ]

    private static func hold(
        _ world: inout World, _ process: String, _ what: String, for seconds: Double
    ) {
        world.enqueue(1)
        world.fault(
            "cutProxyOneWay",
            [
                "process": .text(process), "detail": .text(what),
                "until": .boot(world.boot + seconds),
            ])
    }

    private static func crash(_ world: inout World) {
        let run = world.start(1)
        world.fault("crashHandler", ["process": "w1", "job": .text(id(1))])
        world.pass(6)
        world.declareDead()
        world.release(run, isRefunded: true)
        world.commit(world.start(1, by: 2))
    }
}
