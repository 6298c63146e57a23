import Synchronization
import Tenure
import TestSupport
import Testing

@testable import TenureWorker

private struct Told: Job {
    static let kind: JobKind = "told"
    static let options = JobOptions<Self>(
        retry: .constant(maxAttempts: 2, .milliseconds(20)), timeout: .milliseconds(600))
    let way: String
}

/// Keeps what it is told.
private final class Kept: JobObserver, Sendable {
    private let all = Mutex<[JobEvent]>([])

    func observe(_ event: JobEvent) async { all.withLock { $0.append(event) } }

    var events: [JobEvent] { all.withLock { $0 } }

    var ends: [(run: JobRun, end: JobRunEnd)] {
        events.compactMap { if case .ended(let run, let end) = $0 { (run, end) } else { nil } }
    }

    var words: [String] {
        events.map { event in
            switch event {
            case .claimed: "claimed"
            case .started: "started"
            case .stopping(_, let reason): "stopping: \(reason)"
            case .ended(_, let end):
                "ended: \(end.status?.rawValue ?? "-"), \(end.error.map { "\($0)" } ?? "no error")"
            case .late: "late"
            case .stuck: "stuck"
            case .missed(let count): "missed \(count)"
            }
        }
    }
}

/// Takes far too long for everything.
private struct Slow: JobObserver {
    let seen: Sightings

    func observe(_ event: JobEvent) async {
        seen.saw("called")
        do { try await Task.sleep(for: .seconds(3600)) } catch { seen.saw("cancelled") }
    }
}

@Suite struct JobObserverTests {
    private func told(
        _ ways: [String], until count: Int? = nil,
        _ handler: @escaping @Sendable (Told, JobContext) async throws -> JobOutcome
    ) async throws -> Kept {
        let fixture = try await WorkerFixture("told")
        let kept = Kept()
        var jobs = JobRegistry()
        jobs.handle(Told.self) { try await handler($0, $1) }
        try await fixture.withWorker(jobs, observers: [kept]) {
            for way in ways { try await fixture.client.enqueue(Told(way: way)) }
            try await fixture.eventually(
                "all ended",
                "SELECT count(*) = \(count ?? ways.count) FROM tenure.job_history")
        }
        return kept
    }

    @Test func `a run is told from its claim to its end, with the error itself`() async throws {
        let kept = try await told(["fail"]) { _, _ in throw Broken(cause: nil) }
        #expect(
            kept.words == [
                "claimed", "started", "ended: retryable, broken",
                "claimed", "started", "ended: discarded, broken",
            ])
        for (_, end) in kept.ends { #expect(end.error is Broken && end.took != nil) }
        #expect(kept.ends.map(\.run.attempt) == [1, 2])
        #expect(Set(kept.ends.map(\.run.job)).count == 1)
    }

    @Test func `each way to end has its status, and no error but a failure's`() async throws {
        let kept = try await told(["complete", "commit", "discard", "time out"]) { job, context in
            switch job.way {
            case "commit": return try await context.commit()
            case "discard": return .discard(reason: "no use")
            case "time out": try await Task.sleep(for: .seconds(60))
            default: break
            }
            return .completed
        }
        let errors = kept.ends.compactMap { $0.end.error.map { "\($0)" } }
        #expect(errors == Array(repeating: "the run took longer than its timeout", count: 2))
        let statuses = kept.ends.compactMap(\.end.status)
        #expect(statuses.filter { $0 == .completed }.count == 2)
        #expect(statuses.filter { $0 == .discarded }.count == 2)
        #expect(statuses.filter { $0 == .retryable }.count == 1)
    }

    @Test func `a cancellation that was asked for is told as such, and never as an error`()
        async throws
    {
        let fixture = try await WorkerFixture("stopping")
        let kept = Kept()
        let seen = Sightings()
        var jobs = JobRegistry()
        jobs.handle(Told.self) { job, _ in
            guard job.way != "new" else { return .completed }
            seen.saw(job.way)
            // One wraps it, one ends as if nothing were.
            do { try await Task.sleep(for: .seconds(60)) } catch {
                if job.way == "wrapped" { throw Broken(cause: error) }
            }
            return .completed
        }
        try await fixture.withWorker(jobs, observers: [kept]) {
            for (way, key) in [("wrapped", "a"), ("done", "b")] {
                try await fixture.client.enqueue(Told(way: way), .superseding(key))
                while seen.first(way) == nil { try await Task.sleep(for: .milliseconds(5)) }
                try await fixture.client.enqueue(Told(way: "new"), .superseding(key))
            }
            try await fixture.eventually("ended", "SELECT count(*) = 4 FROM tenure.job_history")
        }
        let words = kept.words
        #expect(words.filter { $0.hasPrefix("stopping: superseded by generation") }.count == 2)
        #expect(words.filter { $0 == "ended: superseded, no error" }.count == 2)
        #expect(kept.ends.allSatisfy { $0.end.error == nil })
    }

    @Test(arguments: ["completes", "gives up", "fails", "heeds"])
    func `a run whose place is gone is told as late, once, and as no end`(way: String) async throws
    {
        let fixture = try await WorkerFixture("late-\(way.prefix(5))")
        let (kept, seen) = (Kept(), Sightings())
        var jobs = JobRegistry()
        jobs.handle(Told.self) { job, _ in
            seen.saw(job.way)
            while seen.first("gone") == nil { try await Task.sleep(for: .milliseconds(5)) }
            switch way {
            case "gives up": return .discard(reason: "no use")
            case "fails": throw Broken(cause: nil)
            case "heeds": try await Task.sleep(for: .seconds(60))
            default: break
            }
            return .completed
        }
        try await fixture.withWorker(jobs, observers: [kept]) {
            try await fixture.client.enqueue(Told(way: "begun"))
            while seen.first("begun") == nil { try await Task.sleep(for: .milliseconds(5)) }
            _ = try await fixture.pool.query("DELETE FROM tenure.job")
            seen.saw("gone")
            while kept.words.last != "late" { try await Task.sleep(for: .milliseconds(5)) }
        }
        // A beat may have found it gone before.
        let words = kept.words.filter { !$0.hasPrefix("stopping") }
        #expect(words == ["claimed", "started", "late"])
    }

    @Test func `one that is slow holds up no job, no beat, and the end for seconds`() async throws {
        let fixture = try await WorkerFixture("slow")
        let seen = Sightings()
        var jobs = JobRegistry()
        jobs.handle(Told.self) { _, _ in .completed }
        let kept = Kept()
        let begun = ContinuousClock.now
        try await fixture.withWorker(
            jobs, lease: .seconds(1), observers: [Slow(seen: seen), kept]
        ) {
            for number in 1...3 {
                try await fixture.client.enqueue(
                    (0..<20).map { _ in try NewJob(Told(way: "quick")) })
                try await fixture.eventually(
                    "all ended", "SELECT count(*) = \(20 * number) FROM tenure.job_history")
                try await Task.sleep(for: .milliseconds(700))
            }
            // Over two leases: one session.
            #expect(try await fixture.count("tenure.session") == 1)
        }
        #expect(seen.words == ["called", "cancelled"])
        #expect(kept.ends.count == 60)
        #expect(begun.duration(to: .now) < .seconds(40) * patience)
    }

    @Test func `what a reader did not take is counted where it is missing`() async throws {
        let buffer = EventBuffer(keeping: 2)
        let run = JobRun(
            RunInfo(
                job: JobID(), kind: "told", queue: .default, key: nil, generation: nil,
                fence: Fence(1), attempt: 1))
        for _ in 1...5 { buffer.add(.started(run)) }
        _ = await buffer.next()
        _ = await buffer.next()
        buffer.add(.late(run))
        guard case .missed(3) = await buffer.next(), case .late = await buffer.next() else {
            Issue.record("three are missing")
            return
        }
        // Nothing follows; and what others have left out counts as many.
        for event in [.started(run), .started(run), .late(run), JobEvent.missed(50)] {
            buffer.add(event)
        }
        _ = await buffer.next()
        _ = await buffer.next()
        guard case .missed(51) = await buffer.next() else {
            Issue.record("what is left out is told when nothing more comes, too")
            return
        }
        for _ in 1...3 { buffer.add(.started(run)) }
        buffer.finish()
        _ = await buffer.next()
        _ = await buffer.next()
        guard case .missed(1) = await buffer.next() else {
            Issue.record("and at the end")
            return
        }
        #expect(await buffer.next() == nil)
    }

    @Test func `the end of a right is told with its reason, whatever it is`() async throws {
        let (kept, seen) = (Kept(), Sightings())
        let fixture = try await WorkerFixture("reasons")
        var jobs = JobRegistry()
        jobs.handle(Told.self) { job, context in
            if job.way == "sleeps" { try await context.sleep(for: .seconds(3600)) }
            if job.way == "unasked" { throw CancellationError() }
            seen.saw(job.way)
            try await Task.sleep(for: .seconds(60))
            return .completed
        }
        try await fixture.withWorker(jobs, observers: [kept]) {
            for way in ["sleeps", "times out", "unasked"] {
                try await fixture.client.enqueue(Told(way: way))
            }
            while kept.ends.count < 5 { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(kept.words.contains { $0.hasPrefix("stopping: waiting for") }, "\(kept.words)")
        #expect(kept.words.contains("stopping: timed out"), "\(kept.words)")
        // One that nobody asked for is a failure, and no tracker is to take it for a cancellation.
        let errors = kept.ends.compactMap(\.end.error)
        #expect(errors.contains { "\($0)".contains("nobody had asked for") }, "\(errors)")
        #expect(!errors.contains { $0 is CancellationError })
    }

    @Test func `as a sequence, each reader gets what happens after it began`() async throws {
        let fixture = try await WorkerFixture("sequence")
        let events = JobEvents()
        var jobs = JobRegistry()
        jobs.handle(Told.self) { _, _ in .completed }
        try await fixture.withWorker(jobs, observers: [events]) {
            for _ in 1...2 {
                var reader = events.makeAsyncIterator()
                try await fixture.client.enqueue(Told(way: "any"))
                var words: [String] = []
                while words.last != "ended", let event = await reader.next() {
                    switch event {
                    case .claimed: words.append("claimed")
                    case .started: words.append("started")
                    case .ended: words.append("ended")
                    default: words.append("other")
                    }
                }
                #expect(words == ["claimed", "started", "ended"])
            }
        }
        #expect(events.readers == 0)
    }

    @Test func `who leaves the loop is told no more, and keeps nothing`() async {
        let events = JobEvents(keeping: 1)
        let reading = Task { for await _ in events { break } }
        while events.readers == 0 { await Task.yield() }
        let waiting = Task { for await _ in events {} }
        while events.readers == 1 { await Task.yield() }
        await events.observe(.missed(1))
        await reading.value
        waiting.cancel()
        await waiting.value
        #expect(events.readers == 0)
    }
}
