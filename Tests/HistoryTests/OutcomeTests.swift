import Testing

@Suite struct AnswerTests {
    @Test(arguments: cases) func `commits are answered truly`(_ one: Case) async throws {
        try await one.check()
    }

    /// A run whose commit is answered, whatever happened.
    private static func answer(_ answer: String, _ run: MadeRun, _ world: inout World) {
        world.event(run, "commitStarting")
        world.event(run, "commitAnswered", ["answer": .text(answer), "unknownResolved": true])
    }

    static let cases: [Case] =
        ["late", "failed"].map { told in
            .caught(by: 8, "a commit that was answered “\(told)” and is visible") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.commitVisibly(run)
                answer(told, run, &world)
            }
        } + [
            .caught(by: 8, "a commit that was answered “committed” and is not there") { world in
                world.enqueue(1)
                let run = world.start(1)
                answer("committed", run, &world)
                world.release(run)
                world.commit(world.start(1, by: 2))
            },
            .caught(by: 8, "a commit of another run, answered “committed” to this one") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.release(run)
                let next = world.start(1, by: 2)
                world.commit(next)
                answer("committed", run, &world)
            },
            .allowed("a failed commit that the handler tried again") { world in
                world.enqueue(1)
                let run = world.start(1)
                answer("failed", run, &world)
                world.commit(run)
            },
            .allowed("a commit after one that failed, without an answer") { world in
                world.enqueue(1)
                let run = world.start(1)
                answer("failed", run, &world)
                world.event(run, "commitStarting")
                world.commitVisibly(run)
                world.kill()
            },
            .allowed("a commit without an answer, which is visible") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.event(run, "commitStarting")
                world.commitVisibly(run)
                world.kill()
            },
            .allowed("a late answer") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.release(run)
                world.commit(world.start(1, by: 2))
                answer("late", run, &world)
                world.event(run, "late")
            },
        ]
}

@Suite struct CancellationTests {
    @Test(arguments: cases) func `cancellation is no failure`(_ one: Case) async throws {
        try await one.check()
    }

    static let reasons = ["superseded", "cancelled", "shutdown", "leaseExpired", "lost"]

    private static func finish(_ world: inout World) { world.commit(world.start(1, by: 2)) }

    private static let failures: [Case] =
        reasons.map { reason in
            .caught(by: 9, "a failed attempt of a run that ended by \(reason)") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.cancel(run, reason)
                world.fail(run)
                finish(&world)
            }
        }
        + reasons.map { reason in
            .caught(by: 9, "an error that is reported of a run that ended by \(reason)") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.event(run, "cancelDelivered", ["reason": .text("\(reason)(by: somebody)")])
                world.event(run, "handlerEnded", ["how": "cancelled", "wrapped": true])
                world.event(run, "errorReport", ["error": "it was wrapped"])
                world.release(run)
                finish(&world)
            }
        }
        + reasons.map { reason in
            .caught(by: 9, "an attempt that was not given back after \(reason)") { world in
                world.enqueue(1)
                world.cancel(world.start(1), reason, isRefunded: false)
                finish(&world)
            }
        }

    private static let crash: @Sendable (inout World, Bool) -> Void = { world, isRefunded in
        let run = world.start(1)
        world.fault("crashHandler", ["process": "w1", "job": .text(id(1))])
        world.pass(6)
        world.declareDead()
        world.release(run, isRefunded ? "available" : "discarded", isRefunded: isRefunded)
    }

    private static func die(_ world: inout World, _ run: MadeRun, isRefunded: Bool) {
        world.kill()
        world.pass(6)
        world.declareDead()
        world.release(run, isRefunded: isRefunded)
        finish(&world)
    }

    static let cases: [Case] =
        failures + [
            .caught(by: 9, "a cancelled job whose attempt is counted in its history") { world in
                world.enqueue(1)
                world.cancel(world.start(1), "cancelled", to: "cancelled", isRefunded: false)
            },
            .caught(by: 9, "an attempt that was given back twice") { world in
                world.enqueue(1)
                world.release(world.start(1), "retryable", isRefunded: false)
                let run = world.start(1)
                world.cancel(run, "shutdown")
                world.rewrite(attempt: 0, after: run)
                finish(&world)
            },
            .caught(by: 9, "a superseded job whose handler returned, with a failed attempt") {
                world in
                world.enqueue(1)
                let run = world.start(1)
                world.event(run, "handlerEnded", ["how": "returned"])
                world.release(run, "superseded")
                world.fail(run)
            },
            .caught(by: 9, "a claim that was handed back unstarted and counted") { world in
                world.enqueue(1)
                world.release(world.claim(1, isTold: false), isRefunded: false)
                finish(&world)
            },
            .caught(by: 9, "a job at an attempt that it hasn't") { world in
                world.enqueue(1) { $0.maxAttempts = 1 }
                world.release(world.start(1), isRefunded: false)
                finish(&world)
            },
            .caught(by: 9, "a job that kills its process and is given its attempt back") { world in
                world.enqueue(1)
                crash(&world, true)
                world.commit(world.start(1, by: 2))
            },
            .caught(by: 9, "a job that kills its process and is discarded too early") { world in
                world.enqueue(1)
                crash(&world, false)
            },
            .caught(by: 9, "a job that kills its process and never ends") { world in
                world.enqueue(1) { $0.answer = nil }
                let run = world.start(1)
                world.fault("crashHandler", ["process": "w1", "job": .text(id(1))])
                world.pass(6)
                world.declareDead()
                world.release(run, isRefunded: false)
            },
            .allowed("a job that kills its process and spends its attempts") { world in
                world.enqueue(1) { $0.maxAttempts = 1 }
                crash(&world, false)
            },
            .allowed("a job that killed a process once") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.fault("crashHandler", ["process": "w1", "job": .text(id(1))])
                world.pass(6)
                world.declareDead()
                world.release(run, isRefunded: false)
                finish(&world)
            },
            .allowed("a job that kills its process and was cancelled meanwhile") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.fault("crashHandler", ["process": "w1", "job": .text(id(1))])
                world.pass(6)
                world.declareDead()
                world.release(run, "cancelled", isRefunded: false)
            },
            .allowed("a timeout, which is a failure") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.cancel(run, "timedOut", to: "retryable", isRefunded: false)
                world.fail(run)
                world.event(run, "errorReport", ["error": "timed out"])
                finish(&world)
            },
            .allowed("a cancellation that nobody asked for, which is a failure") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.event(run, "handlerEnded", ["how": "cancelled"])
                world.release(run, "retryable", isRefunded: false)
                world.fail(run)
                finish(&world)
            },
            .allowed("a lease loss that was reclaimed first, and counted") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.pass(3)
                world.event(run, "cancelDelivered", ["reason": "leaseExpired"])
                world.event(run, "handlerEnded", ["how": "cancelled"])
                world.pass(2.5)
                world.declareDead()
                world.release(run, isRefunded: false)
                finish(&world)
            },
            .allowed("a job that committed before its cancellation arrived") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.commitVisibly(run)
                world.event(run, "cancelDelivered", ["reason": "shutdown"])
                world.event(run, "handlerEnded", ["how": "cancelled"])
            },
            .allowed("an error of an earlier run") { world in
                world.enqueue(1)
                let run = world.start(1)
                world.event(run, "handlerEnded", ["how": "threw"])
                world.event(run, "errorReport", ["error": "it broke"])
                world.release(run, "retryable", isRefunded: false)
                world.fail(run)
                world.cancel(world.start(1), "shutdown")
                finish(&world)
            },
            .allowed("a job that can't be given its attempt back once more") { world in
                world.settings["maxRefunds"] = 1
                world.enqueue(1)
                world.cancel(world.start(1), "shutdown")
                world.cancel(world.start(1), "shutdown", isRefunded: false)
                finish(&world)
            },
            .caught(by: 9, "a claim that never began, charged by its worker's death") { world in
                world.enqueue(1)
                let run = world.claim(1)
                die(&world, run, isRefunded: false)
            },
            .allowed("a claim that never began, and goes back when its worker dies") { world in
                world.enqueue(1)
                let run = world.claim(1)
                die(&world, run, isRefunded: true)
            },
            .allowed("a claim that was about to begin, charged by its worker's death") { world in
                world.enqueue(1)
                let run = world.claim(1)
                let fence = Value.integer(run.fence)
                world.event(run, "noted", ["session": 1, "fence": fence, "through": fence])
                die(&world, run, isRefunded: false)
            },
            .allowed("an unstarted run that is held, since nobody can run it") { world in
                world.enqueue(1)
                world.release(world.claim(1), "held", isRefunded: false)
                world.transaction { $0.update("job", id(1), ["state": "available"]) }
                finish(&world)
            },
        ]
}

extension World {
    /// Lets every later row of the run's job have one attempt less than it had.
    mutating func rewrite(attempt: Int, after run: MadeRun) {
        transaction { $0.update("job", id(run.job), ["attempt": .integer(attempt)]) }
        // The two changes become one, as if the release had written it.
        let last = audit.removeLast()
        audit[audit.count - 1]["new"] = last["new"]
    }
}
