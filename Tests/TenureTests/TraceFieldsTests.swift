import Tenure
import Testing

@Suite struct TraceFieldsTests {
    private let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func `a lone traceparent is the text itself`() {
        #expect(TraceFields(["traceparent": parent]).text == parent)
        #expect(TraceFields(text: parent).fields == ["traceparent": parent])
    }

    @Test func `other fields are a JSON object, and come back as they were`() {
        let fields = TraceFields(["traceparent": parent, "tracestate": "vendor=\"a/b\""])
        #expect(
            fields.text == #"{"traceparent":"\#(parent)","tracestate":"vendor=\"a/b\""}"#)
        #expect(fields.text.map(TraceFields.init(text:)) == fields)
    }

    @Test func `no fields are no text`() {
        #expect(TraceFields().text == nil)
    }

    @Test func `baggage that is too long for a job is left behind, the trace is not`() {
        let baggage = String(repeating: "b", count: 5000)
        #expect(TraceFields(["traceparent": parent, "baggage": baggage]).text == parent)
        #expect(TraceFields(["baggage": baggage]).text == nil)
    }

    @Test func `a text that nobody can read has no fields`() {
        #expect(TraceFields(text: "{\"traceparent\":").fields == [:])
        #expect(TraceFields(text: "{\"traceparent\":7}").fields == [:])
    }

    @Test(arguments: ["", "a\0b", String(repeating: "x", count: 4097)])
    func `a trace that no job can carry is refused`(_ trace: String) throws {
        var options = EnqueueOptions()
        options.trace = trace
        let error = #expect(throws: TenureError.self) {
            try NewJob(kind: "traced", payload: "{}", options: options)
        }
        #expect(error.map { "\($0)".contains("trace ") } ?? false, "\(error as Any)")
    }
}
