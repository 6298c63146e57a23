import Testing

@Suite struct NoJobLostTests {
    @Test(arguments: cases) func `jobs end once`(_ one: Case) async throws {
        try await one.check()
    }

    static let cases: [Case] = [
        .caught(by: 7, "an acknowledged job that is nowhere") { world in
            world.enqueue(1) { $0.isInserted = false }
        },
        .caught(by: 7, "an acknowledged job that never ended") { world in
            world.enqueue(1)
        },
        .caught(by: 7, "an acknowledged job that is held for ever") { world in
            world.enqueue(1) { $0.state = "held" }
        },
        .caught(by: 7, "a job that ended twice") { world in
            world.work(1)
            world.transaction { world in
                let row = world.row("job_history", id(1))
                world.insert("job_history", "again", row.with(["outcome": "discarded"]))
            }
        },
        .caught(by: 7, "a job that ended and is there besides") { world in
            world.work(1)
            world.enqueue(1)
        },
        .caught(by: 7, "an unacknowledged job that ran twice") { world in
            world.work(1) { $0.answer = nil }
            world.transaction { world in
                let row = world.row("job_history", id(1))
                world.insert("job_history", "again", row.with(["outcome": "cancelled"]))
            }
        },
        .caught(by: 7, "a refused job that is there") { world in
            world.work(1) { $0.answer = "refused" }
        },
        .caught(by: 7, "a refused job that was there, where nothing is kept") { world in
            world.keepNothing()
            world.work(1) {
                $0.answer = "refused"
                $0.isUnkept = true
            }
        },
        .caught(by: 7, "a job that was merged into another and is there besides") { world in
            world.enqueue(1) { $0.key = "a" }
            world.enqueue(2) {
                $0.key = "a"
                $0.mode = "keeping"
                $0.into = 1
                $0.isInserted = false
            }
            world.commit(world.start(1))
            world.place(2, EnqueueOptions())
            world.commit(world.start(2))
        },
        .caught(by: 7, "a job that stands for another and is nowhere") { world in
            world.enqueue(2) {
                $0.key = "a"
                $0.mode = "keeping"
                $0.into = 1
                $0.isInserted = false
            }
        },
        .caught(by: 7, "a job that was deleted without an end") { world in
            world.enqueue(1) { $0.answer = nil }
            world.transaction { $0.delete("job", id(1)) }
        },
        .caught(by: 7, "an acknowledged retry whose job is nowhere") { world in
            world.work(1)
            world.retry(1, as: 2, inserting: nil)
        },
        .caught(by: 7, "a retry that doesn't name what it repeats") { world in
            world.work(1)
            world.retry(1, as: 2, inserting: EnqueueOptions())
            world.commit(world.start(2))
        },
        .caught(by: 7, "a retry that was acknowledged without a job") { world in
            world.work(1)
            world.log("p1", "retrySent", ["call": 90, "job": .text(id(1))])
            world.log("p1", "retryAnswered", ["call": 90, "answer": "acknowledged"])
        },
        .allowed("an enqueue without an answer that is there once") { world in
            world.work(1) { $0.answer = nil }
        },
        .allowed("an enqueue without an answer that is not there") { world in
            world.enqueue(1) {
                $0.answer = "unknown"
                $0.isInserted = false
            }
        },
        .allowed("a refused enqueue that the producer sent again") { world in
            world.enqueue(1) {
                $0.answer = "refused"
                $0.isInserted = false
            }
            world.work(1)
        },
        .allowed("a job that was merged into another") { world in
            world.enqueue(1) { $0.key = "a" }
            world.enqueue(2) {
                $0.key = "a"
                $0.mode = "keeping"
                $0.into = 1
                $0.isInserted = false
            }
            world.commit(world.start(1))
        },
        .allowed("an end in a queue that keeps nothing") { world in
            world.keepNothing()
            world.enqueue(1) { $0.isUnkept = true }
            world.transaction { $0.finish(id(1), "cancelled") }
        },
        .allowed("a retry, which is a job of its own") { world in
            world.work(1)
            var options = EnqueueOptions()
            options.retryOf = 1
            world.retry(1, as: 2, inserting: options)
            world.commit(world.start(2))
        },
    ]
}

@Suite struct BurstTests {
    @Test(arguments: cases) func `bursts run once`(_ one: Case) async throws {
        try await one.check()
    }

    private static func debounce(
        _ world: inout World, _ job: Int, _ tag: String, into: Int? = nil
    ) {
        world.enqueue(job) {
            $0.key = "a"
            $0.mode = "debounced"
            $0.tag = tag
            $0.into = into
        }
    }

    static let cases: [Case] = [
        .caught(by: 10, "a burst that ran with its first payload") { world in
            debounce(&world, 1, "first")
            debounce(&world, 2, "second", into: 1)
            world.commit(world.start(1), tag: "first")
        },
        .caught(by: 10, "a payload that was merged into a run and lost") { world in
            debounce(&world, 1, "first")
            let run = world.start(1)
            debounce(&world, 2, "second", into: 1)
            world.commit(run, tag: "first")
        },
        .caught(by: 10, "a burst that became two jobs") { world in
            debounce(&world, 1, "first")
            debounce(&world, 2, "second")
            world.commit(world.start(1), tag: "first")
            world.commit(world.start(2), tag: "second")
        },
        .caught(by: [1, 10], "a burst that was committed twice") { world in
            debounce(&world, 1, "first")
            debounce(&world, 2, "second", into: 1)
            let run = world.start(1)
            world.transaction { world in
                world.makeVisible(run, ["payload_tag": "second"])
                world.makeVisible(run, ["payload_tag": "second"])
                world.update("subject", "a", ["committed": 1])
                world.finish(id(1), "completed")
            }
        },
        .allowed("a burst that ran with its last payload") { world in
            debounce(&world, 1, "first")
            debounce(&world, 2, "second", into: 1)
            debounce(&world, 3, "third", into: 1)
            world.commit(world.start(1), tag: "third")
        },
        .allowed("calls that overlapped, the first of which came last") { world in
            debounce(&world, 1, "first")
            debounce(&world, 2, "second", into: 1)
            debounce(&world, 3, "third", into: 1)
            // The second was sent first and answered last.
            world.answerLast(2)
            world.commit(world.start(1), tag: "second")
        },
        .allowed("a call without an answer that came last") { world in
            debounce(&world, 1, "first")
            debounce(&world, 2, "second", into: 1)
            world.enqueue(3) {
                $0.key = "a"
                $0.mode = "debounced"
                $0.tag = "third"
                $0.into = 1
                $0.answer = "unknown"
            }
            world.commit(world.start(1), tag: "third")
        },
        .allowed("a successor of a job that runs") { world in
            debounce(&world, 1, "first")
            let run = world.start(1)
            debounce(&world, 2, "second")
            world.commit(run, tag: "first")
            world.commit(world.start(2), tag: "second")
        },
        .allowed("a burst that was superseded before it ran") { world in
            debounce(&world, 1, "first")
            debounce(&world, 2, "second", into: 1)
            world.work(3) { $0.key = "a" }
        },
        .allowed("keeping, which leaves the payload") { world in
            debounce(&world, 1, "first")
            debounce(&world, 2, "second", into: 1)
            world.enqueue(3) {
                $0.key = "a"
                $0.mode = "keeping"
                $0.into = 1
                $0.isInserted = false
            }
            world.commit(world.start(1), tag: "second")
        },
    ]
}

extension World {
    mutating func keepNothing() {
        transaction { world in
            world.insert(
                "queue", "unkept",
                ["name": "unkept", "max_running": nil, "keep_completed": false])
        }
    }

    mutating func retry(_ job: Int, as new: Int, inserting options: EnqueueOptions?) {
        let call = Value.integer(nextCall())
        log("p1", "retrySent", ["call": call, "job": .text(id(job))])
        if let options { place(new, options) }
        log(
            "p1", "retryAnswered",
            ["call": call, "answer": "acknowledged", "new": .text(id(new))])
    }

    /// Lets an enqueue be answered after everything that was said so far.
    mutating func answerLast(_ call: Int) {
        let index = logs["p1"]?.firstIndex {
            $0["event"] == "enqueueAnswered" && $0["call"] == .integer(call)
        }
        guard let index, let line = logs["p1"]?.remove(at: index) else { return }
        logs["p1"]?.append(line.with(["boot": .boot(boot)]))
    }
}
