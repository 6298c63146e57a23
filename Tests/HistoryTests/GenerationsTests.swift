import Testing

@Suite struct GenerationsTests {
    @Test(arguments: cases) func `generations go forward`(_ one: Case) async throws {
        try await one.check()
    }

    static let cases: [Case] =
        ["floor", "issued", "committed"].map { name in
            .caught(by: 2, "a subject whose \(name) goes down") { world in
                world.work(1) { $0.key = "a" }
                world.transaction { $0.update("subject", "a", ["\(name)": 0]) }
            }
        } + [
            .caught(by: 2, "a visible generation that goes down over a subject's deletion") {
                world in
                world.enqueue(1) {
                    $0.key = "a"
                    $0.mode = "coalescing"
                }
                let old = world.start(1)
                world.enqueue(2) {
                    $0.key = "a"
                    $0.mode = "coalescing"
                }
                world.commit(world.start(2))
                world.transaction { $0.delete("subject", "a") }
                world.transaction { world in
                    world.insert(
                        "subject", "a",
                        ["kind": "work", "key": "a", "issued": 1, "floor": 0, "committed": 0])
                }
                world.commit(old)
            },
            .caught(by: 2, "a visible generation that its subject wasn't told of") { world in
                world.enqueue(1) { $0.key = "a" }
                let run = world.start(1)
                world.transaction { world in
                    world.makeVisible(run)
                    world.finish(id(1), "completed")
                }
            },
            .allowed("a subject that was dropped and made anew") { world in
                world.work(1) { $0.key = "a" }
                world.transaction { $0.delete("subject", "a") }
                world.work(2) { $0.key = "a" }
            },
            .allowed("generations that jump forward, as after a crash of PostgreSQL") { world in
                world.work(1) { $0.key = "a" }
                for _ in 0..<32 { _ = world.nextGeneration() }
                world.work(2) { $0.key = "a" }
            },
        ]
}

@Suite struct FencesTests {
    @Test(arguments: cases) func `fences rise`(_ one: Case) async throws {
        try await one.check()
    }

    static let cases: [Case] = [
        .caught(by: 3, "a job whose second fence is smaller") { world in
            world.enqueue(1)
            world.lastFence = 10
            world.release(world.start(1))
            world.lastFence = 5
            world.commit(world.start(1))
        },
        .caught(by: 3, "a job that is claimed while it runs") { world in
            world.enqueue(1)
            world.start(1)
            world.commit(world.start(1, by: 2))
        },
        .caught(by: 3, "a run that goes to another session") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.transaction { $0.update("job", id(1), ["session_id": 2]) }
            world.commit(run)
        },
        .caught(by: 3, "a fence that is given to two jobs") { world in
            world.work(1)
            world.lastFence = 0
            world.work(2)
        },
        .caught(by: 3, "a fence that two workers were told of") { world in
            world.enqueue(1)
            let run = world.start(1)
            let other = MadeRun(job: 1, fence: run.fence, session: 2)
            world.told(other)
            world.commit(run)
        },
        .allowed("a gap in fences") { world in
            world.work(1)
            world.lastFence = 40
            world.work(2)
        },
        .allowed("a claim whose answer was lost and which is handed back") { world in
            world.enqueue(1)
            world.release(world.claim(1, isTold: false))
            world.commit(world.start(1))
        },
    ]
}
