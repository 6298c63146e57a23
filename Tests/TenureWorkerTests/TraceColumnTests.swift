import InMemoryTracing
import Synchronization
import Tenure
import TestSupport
import Testing
import Tracing

@testable import TenureWorker

/// Another driver's transaction, on a connection of ours.
private struct Lent: SQLExecutor {
    let transaction: PostgresTransaction

    func execute(sql: String, parameters: [String?]) async throws -> [[String?]] {
        try await transaction.query(sql, parameters) { row in
            try (0..<3).map { try row.decode($0, as: String?.self) }
        }
    }
}

/// What a job's row says of its trace.
@Suite struct TraceColumnTests {
    private let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private func traces(_ fixture: WorkerFixture) async throws -> [String?] {
        try await fixture.pool.query("SELECT trace FROM tenure.job ORDER BY id") {
            try $0.decode(0, as: String?.self)
        }
    }

    @Test func `every way to enqueue takes the current trace, and none another's`() async throws {
        let fixture = try await WorkerFixture("ways")
        let client = fixture.client
        let tracer = InMemoryTracer()
        var own = EnqueueOptions()
        own.trace = parent
        try await withTracer(tracer) { [own] in
            try await withSpan("bill") { _ in
                try await client.enqueue(Step())
                try await client.enqueue([NewJob(Step()), NewJob(Step(), .keeping("k"))])
                try await fixture.pool.transaction { transaction in
                    try client.enqueue(Step(), in: transaction)
                    try await client.enqueue([NewJob(Step())], on: Lent(transaction: transaction))
                }
                try await client.start(
                    NewBatch([NewJob(Step())], whenEnded: NewJob(Step(number: 2))))
                try await client.enqueue(Step(), options: own)
            }
        }
        let bill = try #require(tracer.finishedSpans.first).spanContext
        let text =
            #"{"in-memory-span-id":"\#(bill.spanID)","in-memory-trace-id":"\#(bill.traceID)"}"#
        #expect(try await traces(fixture) == Array(repeating: text, count: 6) + [parent])
        let followUp: String? = try await fixture.value(
            "SELECT follow_up -> 0 ->> 'trace' FROM tenure.batch")
        #expect(followUp == text)
    }

    @Test func `without a tracer nothing is written, and no run has a span`() async throws {
        let fixture = try await WorkerFixture("untraced")
        try await ServiceContext.withValue(.topLevel) {
            _ = try await fixture.client.enqueue(Step())
        }
        #expect(try await traces(fixture) == [nil])
        let seen = Mutex<[ServiceContext?]>([])
        var jobs = JobRegistry()
        jobs.handle(Step.self) { _, context in
            seen.withLock { $0.append(ServiceContext.current) }
            #expect(context.trace == nil)
            return .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.eventually("it ended", "SELECT count(*) = 1 FROM tenure.job_history")
        }
        #expect(seen.withLock { $0.count } == 1)
        #expect(seen.withLock { $0.allSatisfy { $0 == nil } })
    }

    @Test func `a worker without a tracer hands a job's trace on`() async throws {
        let fixture = try await WorkerFixture("passed on")
        var options = EnqueueOptions()
        options.trace = parent
        try await fixture.client.enqueue(Step(), options: options)
        var jobs = JobRegistry()
        jobs.handle(Step.self) { step, context in
            #expect(context.trace == parent)
            if step.number < 3 { try await context.client.enqueue(Step(number: step.number + 1)) }
            return .completed
        }
        try await fixture.withWorker(jobs) {
            try await fixture.eventually(
                "they ended", "SELECT count(*) = 3 FROM tenure.job_history")
        }
        let kept = try await fixture.count("tenure.job_history WHERE trace = '\(parent)'")
        #expect(kept == 3)
    }

    private func span(on tracer: InMemoryTracer) -> RunSpan {
        var context = ServiceContext.topLevel
        let run = RunInfo(
            job: JobID(), kind: "step", queue: .default, key: nil, generation: nil,
            fence: Fence(7), attempt: 1)
        return RunSpan(of: run, on: tracer, in: &context)
    }

    @Test func `a span ends when the handler returned, whenever the end is written`() async throws {
        let tracer = InMemoryTracer()
        let span = span(on: tracer)
        span.returned()
        try await Task.sleep(for: .milliseconds(50))
        let written = DefaultTracerClock.now
        span.end(became: .job(.completed))
        span.end(became: .job(.completed))
        #expect(tracer.finishedSpans.count == 1)
        let ended = try #require(tracer.finishedSpans.first).endInstant
        #expect(ended.nanosecondsSinceEpoch + 50_000_000 <= written.nanosecondsSinceEpoch)
    }

    @Test func `a span that no end was written for is handed over all the same`() throws {
        let tracer = InMemoryTracer()
        span(on: tracer).returned()
        #expect(
            tracer.finishedSpans.map { $0.attributes.get("job.outcome") } == [.string("unwritten")])
    }
}
