import TenureFoundation
package import Tracing

/// The fields that a tracer carries from process to process, as the one text that a job has for
/// them.
///
/// A lone W3C `traceparent` stands as it is, so that a producer without a tracer can write one.
/// Anything else is a JSON object of the fields.
package struct TraceFields: Sendable, Equatable {
    package var fields: [String: String] = [:]

    private static let parent = "traceparent"

    package init(_ fields: [String: String] = [:]) { self.fields = fields }

    /// The fields of a job's text. A text that nobody can read has none: tracing stops no run.
    package init(text: String) {
        guard text.hasPrefix("{") else {
            fields = [Self.parent: text]
            return
        }
        // Whoever wrote it has no tracer that we know: the run begins a trace of its own.
        let read = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        fields = read ?? [:]
    }

    /// Nil without fields. Baggage that makes it too long for a job is left behind.
    package var text: String? {
        if fields.isEmpty { return nil }
        if fields.count == 1, let alone = fields[Self.parent], !alone.hasPrefix("{") {
            return JobLimits.isTrace(alone) ? alone : nil
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings always encode.
        let json = (try? encoder.encode(fields)).map { String(decoding: $0, as: UTF8.self) }
        if let json, JobLimits.isTrace(json) { return json }
        return fields[Self.parent].flatMap { JobLimits.isTrace($0) ? $0 : nil }
    }

    /// The current task's trace context as a job carries it: nil where there is none, or no tracer
    /// that would say something about it, unless a run without a tracer passes its own on.
    static var ofTask: String? {
        guard let context = ServiceContext.current else { return nil }
        var carried = TraceFields()
        InstrumentationSystem.instrument.inject(context, into: &carried, using: FieldsInjector())
        return carried.text ?? context.jobTrace
    }
}

private struct FieldsInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout TraceFields) {
        carrier.fields[key] = value
    }
}

package struct FieldsExtractor: Extractor {
    package init() {}

    package func extract(key: String, from carrier: TraceFields) -> String? { carrier.fields[key] }
}

extension ServiceContext {
    private enum JobTraceKey: ServiceContextKey { typealias Value = String }

    /// The trace of the job that runs in this task: a worker without a tracer hands it on to what
    /// its handlers enqueue, so that a trace goes through it.
    package var jobTrace: String? {
        get { self[JobTraceKey.self] }
        set { self[JobTraceKey.self] = newValue }
    }
}

extension [NewJob] {
    /// With the current task's trace context, where a job was given none.
    var traced: [NewJob] {
        guard let trace = TraceFields.ofTask else { return self }
        return map { $0.traced(trace) }
    }
}
