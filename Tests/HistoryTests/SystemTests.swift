import Testing

@Suite struct LimitTests {
    @Test(arguments: cases) func `limits are exact`(_ one: Case) async throws {
        try await one.check()
    }

    private static func inTheLane(_ world: inout World, _ jobs: Int...) {
        for job in jobs { world.enqueue(job) { $0.lane = "host" } }
    }

    static let cases: [Case] = [
        .caught(by: 11, "a lane with two running jobs that may have one") { world in
            inTheLane(&world, 1, 2)
            let first = world.start(1)
            let second = world.start(2, by: 2)
            world.commit(first)
            world.commit(second)
        },
        .caught(by: 11, "a queue with five running jobs that may have four") { world in
            for job in 1...5 { world.enqueue(job) }
            let runs = (1...5).map { world.start($0) }
            for run in runs { world.commit(run) }
        },
        .caught(by: 11, "a lane that only the table knows") { world in
            world.settings["lanes"] = .list([])
            world.transaction { world in
                world.insert(
                    "lane", "host", ["queue": "default", "name": "host", "max_running": 1])
            }
            inTheLane(&world, 1, 2)
            let first = world.start(1)
            world.commit(world.start(2))
            world.commit(first)
        },
        .caught(by: 11, "a lane whose place was taken while its holder was silent and not dead") {
            world in
            inTheLane(&world, 1, 2)
            let first = world.start(1)
            world.pass(3)
            world.event(first, "cancelDelivered", ["reason": "leaseExpired"])
            world.pass(5)
            let second = world.start(2, by: 2)
            world.declareDead()
            world.release(first, isRefunded: false)
            world.pass(0.01)
            world.commit(second)
            world.commit(world.start(1, by: 2))
        },
        .allowed("a place that a dead session's job doesn't count for") { world in
            inTheLane(&world, 1, 2)
            let first = world.start(1)
            world.kill()
            world.pass(6)
            world.declareDead()
            let second = world.start(2, by: 2)
            world.release(first, isRefunded: false)
            world.commit(second)
            world.commit(world.start(1, by: 2))
        },
        .allowed("a place that is given back and taken in one transaction") { world in
            inTheLane(&world, 1, 2)
            let first = world.start(1)
            world.lastFence += 1
            let second = MadeRun(job: 2, fence: world.lastFence, session: 1)
            world.transaction { world in
                world.claim(second)
                world.leave(first, "available", isRefunded: true)
            }
            world.told(second)
            world.event(first, "cancelDelivered", ["reason": "shutdown"])
            world.event(first, "handlerEnded", ["how": "cancelled"])
            world.event(second, "handlerStarted")
            world.commit(second)
            world.commit(world.start(1))
        },
        .allowed("a lane of another name") { world in
            inTheLane(&world, 1)
            world.enqueue(2) { $0.lane = "other" }
            let first = world.start(1)
            world.commit(world.start(2))
            world.commit(first)
        },
    ]
}

@Suite struct DrainTests {
    @Test(arguments: cases) func `everything drains`(_ one: Case) async throws {
        try await one.check()
    }

    /// A job that failed shortly before the end and is due some seconds after it.
    private static func retry(after seconds: Double, _ world: inout World) {
        world.beat()
        world.enqueue(1)
        let run = world.start(1)
        world.event(run, "handlerEnded", ["how": "threw"])
        world.release(run, "retryable", isRefunded: false)
        world.transaction { world in
            world.update("job", id(1), ["run_at": world.databaseTime(after: seconds)])
        }
        world.pass(0.5)
        world.end(drainedAfter: seconds + 5)
        world.pass(0.5)
        world.beat()
        world.pass(seconds)
        world.commit(world.start(1, by: 2))
    }

    static let cases: [Case] = [
        .caught(by: 12, "a recording that drained too late") { world in
            world.work(1)
            world.end(drainedAfter: 10.1)
        },
        .caught(by: 12, "a recording that never drained") { world in
            world.work(1)
            world.end(drainedAfter: nil)
        },
        .caught(by: 12, "a drain that is late by more than a retry's delay") { world in
            retry(after: 20, &world)
            world.faults.removeLast()
            world.faults.append(["boot": .boot(world.boot + 11), "fault": "drained"])
        },
        .caught(by: 12, "a drain that a job of the far future doesn't excuse") { world in
            world.work(2)
            world.enqueue(1) { $0.answer = nil }
            world.transaction { world in
                world.update(
                    "job", id(1),
                    ["state": "scheduled", "run_at": world.databaseTime(after: 600)])
            }
            world.end(drainedAfter: 11)
            world.pass(1)
            world.beat()
        },
        .allowed("a drain within a lease, a sweep, a poll and the longest work") { world in
            world.work(1)
            world.end(drainedAfter: 9.9)
        },
        .allowed("a drain that waited for a retry") { world in
            retry(after: 20, &world)
        },
    ]
}

@Suite struct FaultTests {
    @Test(arguments: cases) func `faults that reached a call are told of`(
        _ one: Case
    ) async throws {
        try await one.check()
    }

    static let cases: [Case] = [
        .caught(by: 13, "a fault that nobody tells of") { world in
            world.fault("cutProxy", ["process": "w1", "reached": true])
        },
        .caught(by: 13, "a fault that another process tells of") { world in
            world.fault("cutProxy", ["process": "w1", "reached": true])
            world.pass(1)
            world.log("w2", "databaseError", ["during": "claim", "error": "cut"])
        },
        .caught(by: 13, "a fault that is told of too late") { world in
            world.fault("cutProxy", ["process": "w1", "reached": true])
            world.pass(15.1)
            world.log("w1", "databaseError", ["during": "claim", "error": "cut"])
        },
        .caught(by: 13, "a fault that was told of before it was done") { world in
            world.log("w1", "databaseError", ["during": "claim", "error": "cut"])
            world.pass(0.1)
            world.fault("cutProxy", ["process": "w1", "reached": true])
        },
        .caught(by: 13, "a fault after which a commit is answered as if nothing had been") {
            world in
            world.fault("cutCommitReply", ["process": "w1", "reached": true])
            world.work(1)
        },
        .caught(by: 13, "a fault that reached a process without a log") { world in
            world.fault("cutProxy", ["process": "w9", "reached": true])
        },
        .allowed("a fault that a database error tells of") { world in
            world.fault("cutProxy", ["process": "w1", "reached": true])
            world.pass(1)
            world.log("w1", "databaseError", ["during": "claim", "error": "cut"])
        },
        .allowed("a fault that a failed beat tells of") { world in
            world.fault("cutProxyOneWay", ["process": "w1", "reached": true])
            world.beat(answered: false)
        },
        .allowed("a fault that a resolved commit tells of") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.event(run, "commitStarting")
            world.fault("cutCommitReply", ["process": "w1", "reached": true])
            world.commitVisibly(run)
            world.pass(1)
            world.event(run, "commitAnswered", ["answer": "committed", "unknownResolved": true])
        },
        .allowed("a fault that an enqueue tells of") { world in
            world.fault("cutProxy", ["process": "p1", "reached": true])
            world.log(
                "p1", "enqueueAnswered",
                ["call": 90, "answer": "unknown", "error": "cut", "jobs": .list([])])
        },
        .allowed("a fault whose process was frozen, and told of it when it thawed") { world in
            world.fault("cutProxy", ["process": "w1", "reached": true])
            world.freeze(for: 30)
            world.pass(31)
            world.log("w1", "databaseError", ["during": "claim", "error": "cut"])
        },
        .allowed("a fault whose process was killed before it could tell") { world in
            world.fault("cutProxy", ["process": "w1", "reached": true])
            world.pass(1)
            world.kill()
        },
        .allowed("a fault that reached nobody") { world in
            world.fault("killPostgres")
        },
    ]
}

@Suite struct TableTests {
    @Test(arguments: cases) func `the tables add up`(_ one: Case) async throws {
        try await one.check()
    }

    /// Changes one row of `final.jsonl`, or takes it away.
    private static func edit(
        _ world: inout World, _ table: String, _ edit: @escaping (Row) -> Row?
    ) {
        world.finalEdit = { rows in
            rows.compactMap { line -> Row? in
                guard line["table"] == .text(table), case .object(let row)? = line["row"] else {
                    return line
                }
                return edit(row).map { line.with(["row": $0.value]) }
            }
        }
    }

    static let cases: [Case] =
        ["subject", "effect"].map { table in
            .caught(by: 14, "a row of \(table) that is not there in the end") { world in
                world.work(1) { $0.key = "a" }
                edit(&world, table) { _ in nil }
            }
        } + [
            .caught(by: 14, "history that is not there in the end") { world in
                world.work(1) { $0.answer = nil }
                edit(&world, "job_history") { _ in nil }
            },
            .caught(by: 14, "a column that no rule reads and that differs") { world in
                world.work(1)
                edit(&world, "job_history") { $0.with(["payload": ["tag": "other"].value]) }
            },
            .caught(by: 14, "a job that was never audited") { world in
                world.enqueue(1) { $0.answer = nil }
                world.audit.removeLast()
            },
            .caught(by: 14, "a job that is there in the end although it was deleted") { world in
                world.enqueue(1) { $0.answer = nil }
                world.transaction { $0.finish(id(1), "cancelled") }
                world.finalEdit = { rows in
                    rows.map { line in
                        line.with(["table": "job_history"])
                    }
                }
                edit(&world, "job_history") { $0.with(["reason": "somebody did it"]) }
            },
            .caught(by: 14, "an update that the audit lacks") { world in
                world.enqueue(1) { $0.answer = nil }
                let run = world.claim(1)
                world.release(run)
                // The row changes before its claim, and nobody wrote it down.
                world.rewriteOld(["max_attempts": 3])
            },
            .caught(by: 14, "a row that was inserted over another") { world in
                world.transaction { world in
                    let row: Row = [
                        "kind": "work", "key": "a", "issued": 1, "floor": 0, "committed": 0,
                    ]
                    world.insert("subject", "a", row)
                    world.insert("subject", "a", row)
                }
            },
            .allowed("rows whose members stand in another order") { world in
                world.work(1) { $0.key = "a" }
            },
        ]
}

extension World {
    /// Lets the last change be of a row that nobody knows.
    mutating func rewriteOld(_ changes: Row) {
        guard case .object(let row)? = audit[audit.count - 1]["old"] else { return }
        audit[audit.count - 1]["old"] = row.with(changes).value
    }
}
