// docs/decisions/tracing.md

import Tenure
import TenurePostgres
import Tracing

/// What a tracer sees of a run: a span from its handler's start to its return.
///
/// It is handed over when the run's end is written, because only then is it known what became of
/// the job: a completion may have come late.
final class RunSpan: Sendable {
    private struct State {
        var returnedAt: DefaultTracerClock.Timestamp?
        var isOver = false
    }
    private let span: any Span
    private let state = Lock(State())

    /// Begins a span below that of the enqueue, whose context is `context`; its own is put there.
    init(of run: RunInfo, on tracer: any Tracer, in context: inout ServiceContext) {
        span = tracer.startSpan(
            "run \(run.kind)", context: context, ofKind: .consumer, at: DefaultTracerClock.now)
        context = span.context
        span.updateAttributes { attributes in
            attributes[.jobID] = "\(run.job)"
            attributes[.jobKind] = run.kind.rawValue
            attributes[.jobQueue] = run.queue.rawValue
            attributes[.jobKey] = run.key
            attributes[.jobGeneration] = run.generation?.rawValue
            attributes[.jobAttempt] = run.attempt
            attributes[.fence] = run.fence.rawValue
        }
    }

    /// A run that nobody writes an end for has a span all the same.
    deinit { end(became: .unwritten) }

    /// Here the span ends in time, whenever it is handed over.
    func returned() { state.withLock { $0.returnedAt = DefaultTracerClock.now } }

    func record(_ error: any Error) {
        let moment = state.withLock { $0.returnedAt } ?? DefaultTracerClock.now
        span.recordError(error, attributes: [:], at: moment)
    }

    /// - Parameters:
    ///   - became: what the database has made of the job.
    ///   - failure: why the attempt failed. A cancellation is none.
    func end(became: RunOutcome, failure: (any Error)? = nil) {
        let end = state.withLock { state -> DefaultTracerClock.Timestamp? in
            if state.isOver { return nil }
            state.isOver = true
            return state.returnedAt ?? DefaultTracerClock.now
        }
        guard let end else { return }
        span.updateAttributes { $0[.jobOutcome] = "\(became)" }
        if let failure {
            record(failure)
            span.setStatus(SpanStatus(code: .error, message: "\(failure)"))
        } else if became == .job(.completed) {
            span.setStatus(SpanStatus(code: .ok))
        }
        span.end(at: end)
    }
}

extension SpanAttributes {
    fileprivate subscript(_ key: LogKey) -> (any SpanAttributeConvertible)? {
        get { self[key.rawValue] }
        set { self[key.rawValue] = newValue }
    }
}

extension Run {
    /// Runs the handler within a span, or with the trace that what it enqueues is to go on from.
    func traced(_ handler: () async throws -> JobOutcome) async throws -> JobOutcome {
        // Of the job alone: not of whatever started this worker.
        var context = ServiceContext.topLevel
        context.jobTrace = job.trace
        guard let tracer = services.surroundings.tracer else {
            return try await ServiceContext.withValue(context) { try await handler() }
        }
        if let trace = job.trace {
            tracer.extract(TraceFields(text: trace), into: &context, using: FieldsExtractor())
        }
        let span = RunSpan(of: info, on: tracer, in: &context)
        follows(span)
        defer { span.returned() }
        return try await ServiceContext.withValue(context) { try await handler() }
    }
}

extension InstrumentationSystem {
    /// The tracer that this process has; nil without one. Asked once: runs that nobody traces are
    /// to cost nothing.
    static var bootstrapped: (any Tracer)? {
        let tracer = InstrumentationSystem.tracer
        return tracer is NoOpTracer ? nil : tracer
    }
}
