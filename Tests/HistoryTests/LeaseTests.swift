import Testing

/// The lease of these worlds is 5 s with a margin of 2 s: a run is cancelled 3 s after the last
/// acknowledged beat was sent, and sends nothing 3.5 s after it.
@Suite struct StopInTimeTests {
    @Test(arguments: cases) func `a lease's end reaches its runs`(_ one: Case) async throws {
        try await one.check()
    }

    static let cases: [Case] = [
        .caught(by: 4, "a run that is never cancelled when its lease ends") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.pass(4)
            world.release(run)
            world.commit(world.start(1, by: 2))
        },
        .caught(by: 4, "a run that is cancelled too late") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.pass(3.2)
            world.cancel(run, "leaseExpired")
            world.commit(world.start(1, by: 2))
        },
        .caught(by: 4, "a run that counts from a beat whose answer was lost") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.pass(2)
            world.beat(answered: false)
            world.pass(2)
            world.cancel(run, "leaseExpired")
            world.commit(world.start(1, by: 2))
        },
        .caught(by: 4, "a run that counts from the answer, not from the sending") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.log("w1", "beatSent", ["session": 1, "number": 1])
            world.pass(1)
            world.transaction { $0.update("session", "1", ["beat": 1]) }
            world.log("w1", "beatAnswered", ["session": 1, "number": 1, "beat": 1])
            world.pass(3)
            world.cancel(run, "leaseExpired")
            world.commit(world.start(1, by: 2))
        },
        .caught(by: 4, "a run that a late answer brings back") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.pass(3.2)
            world.beat()
            world.commit(run)
        },
        .caught(by: 4, "a run that goes on after its commit had failed") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.event(run, "commitStarting")
            world.event(run, "commitAnswered", ["answer": "failed"])
            world.pass(4)
            world.release(run)
            world.commit(world.start(1, by: 2))
        },
        .caught(by: 4, "a thawed process that goes on") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.pass(2)
            world.freeze(for: 2)
            world.pass(2.5)
            world.cancel(run, "leaseExpired")
            world.commit(world.start(1, by: 2))
        },
        .caught(by: 4, "a run that went on before its process was killed") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.pass(4)
            world.kill()
            world.pass(2)
            world.declareDead()
            world.release(run, isRefunded: false)
            world.commit(world.start(1, by: 2))
        },
        .allowed("a run that is cancelled within a tick") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.pass(3)
            world.cancel(run, "leaseExpired")
            world.commit(world.start(1, by: 2))
        },
        .allowed("a run that is kept by acknowledged beats") { world in
            world.enqueue(1)
            let run = world.start(1)
            for _ in 0..<4 {
                world.pass(2)
                world.beat()
            }
            world.commit(run)
        },
        .allowed("a frozen process, which is cancelled when it thaws") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.pass(2)
            world.freeze(for: 10)
            world.pass(10)
            world.cancel(run, "leaseExpired")
            world.commit(world.start(1, by: 2))
        },
        .allowed("a run without an end in a killed process") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.kill()
            world.pass(6)
            world.declareDead(1)
            world.release(run, isRefunded: false)
            world.commit(world.start(1, by: 2))
        },
        .allowed("an answer that is written a little after the end it prevented") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.pass(2.95)
            world.beat()
            world.pass(1)
            world.commit(run)
        },
        .allowed("a deaf handler, which was cancelled and goes on") { world in
            world.enqueue(1)
            let run = world.start(1)
            world.pass(1)
            world.event(run, "cancelDelivered", ["reason": "cancelled"])
            world.pass(20)
            world.event(run, "handlerEnded", ["how": "cancelled"])
            world.release(run, "cancelled")
        },
        .allowed("a recording without cancellations") { world in
            world.settings["cancellation"] = "off"
            world.enqueue(1)
            let run = world.start(1)
            world.pass(4)
            world.commit(run)
        },
    ]
}

@Suite struct SilenceTests {
    @Test(arguments: cases) func `the dead were silent for a lease`(_ one: Case) async throws {
        try await one.check()
    }

    static let cases: [Case] = [
        .caught(by: 5, "a session that is declared dead too early") { world in
            world.beat()
            world.pass(4.8)
            world.declareDead()
        },
        .caught(by: 5, "a session that is declared dead too early after its opening") { world in
            world.pass(4.8)
            world.declareDead()
        },
        .caught(by: 5, "a session whose beat was counted, its answer lost, and then too early") {
            world in
            world.beat()
            world.pass(2)
            world.beat(answered: false)
            world.pass(4)
            world.declareDead()
        },
        .caught(by: 5, "a session whose second lost beat was counted") { world in
            world.beat()
            world.pass(1)
            world.beat(answered: false)
            world.pass(1)
            world.beat(answered: false)
            world.pass(4.5)
            world.declareDead()
        },
        .caught(by: 5, "a beat that was sent too late for the audit to be right") { world in
            world.beat(answered: false)
            world.pass(4.95)
            world.declareDead()
            // Only the sender's own line tells.
            world.shift("w1", "beatSent", by: 0.05)
            world.shiftAudit("session", "update", by: -0.5)
        },
        .caught(by: 5, "a death by a beat that the session no longer had") { world in
            world.beat()
            world.pass(5)
            world.log("w2", "declaring", ["session": 1, "beat": 0, "watcher": 2])
            world.transaction { world in
                world.update(
                    "session", "1",
                    ["ended_at": world.databaseTime, "died": true, "ended_by": 2])
            }
        },
        .caught(by: 5, "a death that beats at once") { world in
            world.beat()
            world.pass(5)
            world.log("w2", "declaring", ["session": 1, "beat": 1, "watcher": 2])
            world.transaction { world in
                world.update(
                    "session", "1",
                    ["ended_at": world.databaseTime, "died": true, "ended_by": 2, "beat": 2])
            }
        },
        .caught(by: 5, "a death that no watcher tells of") { world in
            world.pass(6)
            world.transaction { world in
                world.update(
                    "session", "1",
                    ["ended_at": world.databaseTime, "died": true, "ended_by": 2])
            }
        },
        .caught(by: 5, "a beat that nobody sent") { world in
            world.transaction { $0.update("session", "1", ["beat": 1]) }
            world.pass(6)
            world.declareDead()
        },
        .allowed("a death after a whole lease, less the error of a clock") { world in
            world.beat()
            world.pass(4.98)
            world.declareDead()
        },
        .allowed("a death before a frozen session has read that it was opened") { world in
            world.pass(5.2)
            world.declareDead()
            world.shift("w1", "sessionOpened", by: 5.5)
        },
        .allowed("a lost beat that was not counted") { world in
            world.beat()
            world.pass(3)
            world.beat(counted: false, answered: false)
            world.pass(2)
            world.declareDead()
        },
        .allowed("a watcher that asks too late, and is refused") { world in
            world.log("w2", "declaring", ["session": 1, "beat": 0, "watcher": 2])
            world.beat()
        },
        .allowed("a beat that was held up on its way and counted after its successor") { world in
            world.log("w1", "beatSent", ["session": 1, "number": 90])
            world.pass(0.5)
            world.beat()
            world.pass(0.5)
            world.transaction { $0.update("session", "1", ["beat": 2]) }
            world.pass(5)
            world.declareDead()
        },
        .allowed("a session that was closed") { world in
            world.transaction { world in
                world.update("session", "1", ["ended_at": world.databaseTime, "died": false])
            }
        },
    ]
}

extension World {
    /// Changes when a process says that something happened.
    mutating func shift(_ process: String, _ event: String, by seconds: Double) {
        for index in logs[process, default: []].indices {
            guard case .number(let boot)? = logs[process]?[index]["boot"],
                logs[process]?[index]["event"] == .text(event)
            else { continue }
            logs[process]?[index]["boot"] = .boot(boot + seconds)
        }
    }

    mutating func shiftAudit(_ table: String, _ operation: String, by seconds: Double) {
        for index in audit.indices {
            guard case .number(let boot)? = audit[index]["boot"],
                audit[index]["table"] == .text(table), audit[index]["op"] == .text(operation)
            else { continue }
            audit[index]["boot"] = .boot(boot + seconds)
        }
    }
}
