import InMemoryTracing
import Synchronization
import Tenure
import TenureFoundation
import TenureWorker
import TestSupport
import Testing
import Tracing

struct Step: Job {
    static let kind: JobKind = "step"
    static let options = JobOptions<Self>(
        retry: .constant(maxAttempts: 3, .milliseconds(50)), secretFields: ["token"])
    var number = 1
    var token: String?
}

/// One process enqueues and another one runs: each has a tracer of its own.
@Suite struct TraceTests {
    private let producer = InMemoryTracer()
    private let worker = InMemoryTracer(
        idGenerator: InMemoryTracer.IDGenerator(
            nextTraceID: { "own trace" }, nextSpanID: { "run \(JobID())" }))

    /// What another process enqueues within a span of its own, whose context comes back.
    private func bill(
        _ fixture: WorkerFixture, _ enqueue: (TenureClient) async throws -> Void
    ) async throws -> InMemorySpanContext {
        let other = try WorkerFixture(conninfo: fixture.conninfo, "producer")
        try await withTracer(producer) {
            try await withSpan("bill") { _ in try await enqueue(other.client) }
        }
        return try #require(producer.popFinishedSpans().first).spanContext
    }

    /// Runs a worker with the tracer until so many runs have ended; in the order of their ends.
    private func spans(
        _ count: Int, _ fixture: WorkerFixture,
        _ handler: @escaping @Sendable (Step, JobContext) async throws -> JobOutcome,
        meanwhile: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> [FinishedInMemorySpan] {
        var jobs = JobRegistry()
        jobs.handle(Step.self, handler)
        return try await withTracer(worker) { [jobs, worker] in
            try await fixture.withWorker(jobs) {
                try await meanwhile()
                let end = ContinuousClock.now + .seconds(20)
                while worker.finishedSpans.count < count {
                    if ContinuousClock.now > end { throw NeverHappened(what: "\(count) spans") }
                    try await Task.sleep(for: .milliseconds(10))
                }
                return worker.finishedSpans
            }
        }
    }

    @Test func `a run is a child of its enqueue, and the parent of what it enqueues`() async throws
    {
        let fixture = try await WorkerFixture("traced")
        let bill = try await bill(fixture) { client in
            try await client.enqueue(Step(), .superseding("invoice"))
        }
        let runs = try await spans(2, fixture) { step, context in
            guard step.number == 1 else { return .completed }
            return try await context.commit { transaction in
                try context.client.enqueue(Step(number: 2), in: transaction)
            }
        }
        // The first one's end may be told after that of what it has enqueued.
        let isFirst = { (span: FinishedInMemorySpan) in span.attributes.get("job.key") != nil }
        let first = try #require(runs.first(where: isFirst))
        let second = try #require(runs.first { !isFirst($0) })
        #expect(first.operationName == "run step")
        #expect(first.kind == .consumer)
        #expect(first.traceID == bill.traceID)
        #expect(first.parentSpanID == bill.spanID)
        #expect(first.status == SpanStatus(code: .ok))
        #expect(second.traceID == bill.traceID)
        #expect(second.parentSpanID == first.spanID)

        let job: UUID = try await fixture.value(
            "SELECT id FROM tenure.job_history WHERE key = 'invoice'")
        let attributes = first.attributes
        #expect(attributes.get("job.id") == .string("\(JobID(job))"))
        #expect(attributes.get("job.kind") == .string("step"))
        #expect(attributes.get("job.queue") == .string("default"))
        #expect(attributes.get("job.key") == .string("invoice"))
        #expect(attributes.get("job.attempt") == .int64(1))
        #expect(attributes.get("job.outcome") == .string("completed"))
        #expect(attributes.get("lease.fence") != nil)
        #expect(attributes.get("job.generation") != nil)
    }

    @Test func `a failed attempt is an error of its span, and the next has a span of its own`()
        async throws
    {
        let fixture = try await WorkerFixture("retried")
        let bill = try await bill(fixture) { client in
            try await client.enqueue(Step(token: "canary-7"))
        }
        let runs = try await spans(2, fixture) { step, context in
            if context.attempt == 1 { throw Refused(token: step.token ?? "") }
            return .completed
        }
        #expect(runs.map(\.parentSpanID) == [bill.spanID, bill.spanID])
        #expect(runs.map { $0.attributes.get("job.attempt") } == [.int64(1), .int64(2)])
        #expect(
            runs.map { $0.attributes.get("job.outcome") }
                == [.string("retryable"), .string("completed")])
        #expect(runs.map { $0.status?.code } == [.error, .ok])
        #expect(runs.map(\.errors.count) == [1, 0])
        // A secret of the payload is in no span.
        #expect(runs[0].status?.message == "refused …")
        #expect(runs[0].errors.map { "\($0.error)" } == ["refused …"])
    }

    @Test func `a superseded run is no error`() async throws {
        let fixture = try await WorkerFixture("superseded")
        let started = Mutex(false)
        _ = try await bill(fixture) { try await $0.enqueue(Step(), .superseding("k")) }
        let runs = try await spans(2, fixture) { step, context in
            started.withLock { $0 = true }
            if step.number == 1 { try await Task.sleep(for: .seconds(60)) }
            return .completed
        } meanwhile: {
            while !started.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
            try await fixture.client.enqueue(Step(number: 2), .superseding("k"))
        }
        let stopped = try #require(
            runs.first { $0.attributes.get("job.outcome") == .string("superseded") })
        #expect(stopped.status == nil)
        #expect(stopped.errors.isEmpty)
    }

    @Test func `runs that are completed in one statement have a span each`() async throws {
        let fixture = try await WorkerFixture("grouped")
        let bill = try await bill(fixture) { client in
            try await client.enqueue((1...60).map { try NewJob(Step(number: $0)) })
        }
        let runs = try await spans(60, fixture) { _, _ in .completed }
        #expect(Set(runs.map(\.parentSpanID)) == [bill.spanID])
        #expect(Set(runs.map(\.spanID)).count == 60)
        #expect(runs.allSatisfy { $0.attributes.get("job.outcome") == .string("completed") })
    }

    @Test func `a job that is held says why`() async throws {
        let fixture = try await WorkerFixture("held")
        try await fixture.client.enqueue([NewJob(kind: "step", payload: "{}")])
        let runs = try await spans(1, fixture) { _, _ in .completed }
        #expect(runs[0].attributes.get("job.outcome") == .string("held"))
        #expect(runs[0].status?.code == .error)
        #expect(runs[0].status?.message?.hasPrefix("its payload does not decode") ?? false)
        #expect(runs[0].traceID == "own trace")
    }
}

struct Refused: Error, CustomStringConvertible {
    let token: String
    var description: String { "refused \(token)" }
}
