import History
import Testing

/// One world in which everything occurs that a rule judges, and nothing is wrong.
@Suite struct RichTests {
    @Test func `a rich recording passes, and every rule judges every kind of thing`()
        async throws
    {
        let verdict = try await World.rich.verdict()
        #expect(verdict.violations.map(\.sentence) == [])
        #expect(verdict.warnings == [])
        #expect(verdict.rules.map(\.number) == Array(1...15))
    }

    @Test func `the summary counts what happened`() async throws {
        let counts = try await World.rich.verdict().counts
        let numbers = Dictionary(uniqueKeysWithValues: counts.map { ($0.what, $0.number) })
        let expected = [
            "late results refused": 1, "commits resolved after an unknown outcome": 1,
            "enqueues resolved after an unknown outcome": 1, "sessions": 2, "sessions died": 1,
            "reclaims": 2, "cancellations delivered": 2, "supersedes": 3, "drained after": 1,
            "ended discarded": 1, "ended superseded": 1, "fault: crashHandler": 1,
            "fault: cutCommitReply": 1, "runs that the audit lacks": 0,
        ]
        for (what, number) in expected {
            #expect(numbers[what] == Double(number), "\(what)")
        }
    }

    @Test func `a rule that judged nothing is warned of`() async throws {
        let warnings = try await World().verdict().warnings
        #expect(warnings.contains { $0.hasPrefix("rule 1 judged nothing") })
        #expect(!warnings.contains { $0.hasPrefix("rule 12") })
    }

    @Test func `a recording without cancellations says that rule 4 is not judged`()
        async throws
    {
        var world = World()
        world.settings["cancellation"] = "off"
        let verdict = try await world.verdict()
        #expect(verdict.rules[3].findings == nil)
        #expect(verdict.warnings.contains { $0.hasPrefix("rule 4 is not judged") })
    }

    @Test func `a violation names the lines that show it`() async throws {
        var world = World()
        world.enqueue(1)
        let violation = try await world.verdict().violations.first
        #expect(violation?.sentence == "job \(id(1)) was acknowledged and has not ended")
        let files = Set(violation?.evidence.map(\.file) ?? [])
        #expect(files == ["process-p1.jsonl", "final.jsonl"])
        #expect(violation?.evidence.map(\.line).max() == 3)
    }
}

extension World {
    static var rich: World {
        var world = World()
        world.supersedeAndDebounce()
        world.answerOtherwise()
        world.handBack()
        world.crash()
        world.waitForOthers()
        world.end()
        world.beat(2)
        return world
    }

    private mutating func supersedeAndDebounce() {
        enqueue(1) {
            $0.key = "a"
            $0.lane = "host"
        }
        work(2) {
            $0.key = "a"
            $0.lane = "host"
        }
        for (job, into) in [(3, nil), (4, 3)] {
            enqueue(job) {
                $0.key = "b"
                $0.mode = "debounced"
                $0.into = into
            }
        }
        commit(start(3))
        retry(3, as: 5, inserting: EnqueueOptions(retryOf: 3))
        commit(start(5))
    }

    private mutating func answerOtherwise() {
        work(6) { $0.answer = "unknown" }
        enqueue(7) {
            $0.answer = "refused"
            $0.isInserted = false
        }
        if let answer = logs["p1"]?.popLast() {
            logs["p1"]?.append(answer.with(["unknownResolved": true]))
        }
        enqueue(8)
        let run = start(8)
        event(run, "commitStarting")
        event(run, "commitAnswered", ["answer": "failed", "error": "not now"])
        fault("cutCommitReply", ["process": "w1", "reached": true])
        event(run, "commitStarting")
        commitVisibly(run)
        event(run, "commitAnswered", ["answer": "committed", "unknownResolved": true])
        event(run, "commitAnswered", ["answer": "late"])
        event(run, "late")
        event(run, "handlerEnded", ["how": "returned"])
    }

    private mutating func handBack() {
        enqueue(9)
        release(claim(9, isTold: false))
        cancel(start(9), "shutdown")
        commit(start(9))
    }

    private mutating func waitForOthers() {
        enqueue(12)
        enqueue(13) { $0.key = "awaited" }
        enqueue(14) {
            $0.state = "waiting"
            $0.after = [waitFor(12), ["kind": "work", "key": "awaited"]]
        }
        enqueue(15)
        enqueue(16) {
            $0.state = "waiting"
            $0.after = [waitFor(15)]
        }
        for job in [12, 13, 14] { commit(start(job, by: 2)) }
        transaction { $0.finish(id(15), "cancelled") }
        transaction { $0.finish(id(16), "cancelled", ["reason": "after: job 15 was cancelled"]) }
    }

    /// A handler crashes its process; what else ran there is reclaimed.
    private mutating func crash() {
        enqueue(10) { $0.maxAttempts = 1 }
        enqueue(11)
        beat()
        let other = start(11)
        let run = start(10)
        pass(3.5)
        // The other run is cancelled at the lease's end, and the crash comes right after.
        logs["w1"]?.append(
            other.fields.with([
                "boot": .boot(boot - 0.5), "event": "cancelDelivered", "reason": "leaseExpired",
            ]))
        logs["w1"]?.append(
            run.fields.with([
                "boot": .boot(boot - 0.46), "event": "stuck", "since": 1,
            ]))
        fault("crashHandler", ["process": "w1", "job": .text(id(10))])
        pass(2)
        beat(2)
        declareDead()
        release(run, "discarded", isRefunded: false)
        release(other, isRefunded: false)
        commit(start(11, by: 2))
    }
}
