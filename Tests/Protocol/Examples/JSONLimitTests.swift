import Testing

/// SQL refuses what the Swift library refuses, by every way in.
@Suite struct JSONLimitTests {
    private static let large = #""\#(String(repeating: "x", count: 1 << 20))""#
    private static let deep =
        String(repeating: "[", count: 65) + "1" + String(repeating: "]", count: 65)
    private static let long = #"{"a": [true, 1e131071]}"#
    private static let spelled = "[\(String(repeating: "7", count: 400))]"
    private static let small = #"{"a": 1e-16000}"#

    @Test(arguments: [large, deep, long, spelled, small])
    func `What is too large, too deep or too long a number is refused`(json: String) async throws {
        try await Example.run { example in
            try await example.enqueue("", #""key": "running""#)
            try await example.claim(try await example.openSession())
            let running = try await example.value(
                "SELECT id || ''', ' || fence FROM tenure.job WHERE key = 'running'")
            let id = running.prefix(36)
            let own = example.own
            let job = #"{"kind": "\#(own)", "queue": "\#(own)", "payload": \#(json)}"#
            let keyed = #"{"kind": "\#(own)", "key": "a", "payload": \#(json)}"#
            for statement in [
                "tenure.enqueue('\(own)', '\(json)')", "tenure.enqueue_jobs('[\(job)]')",
                "tenure.enqueue_jobs('[\(keyed), \(keyed)]')",
                """
                tenure.supersede(tenure.new_id(), '\(own)', '\(own)', '\(json)', 1::smallint,
                    5::smallint, 4, NULL, '0', NULL, NULL, NULL, true, 'a', true)
                """,
                "tenure.finish('\(running), result => '\(json)')",
                "tenure.finish('\(running), follow_ups => '[\(job)]')",
                "tenure.hold_run('\(running), '[\(job)]')",
                """
                tenure.end_runs('[{"id": "\(id)", "fence": 1, "wanted": "completed",
                    "result": \(json)}]'::jsonb, true)
                """,
                "tenure.start_batch(tenure.new_id(), '[\(job)]')",
                "tenure.put_schedule('\(own)', '1 h', NULL, NULL, '\(job)', true)",
            ] {
                let refusal = try await example.refusal("SELECT \(statement)")
                #expect(refusal == "TN003", "\(statement.prefix(60))")
            }
        }
    }

    @Test func `What the library lets in is let in`() async throws {
        try await Example.run { example in
            let digits = String(repeating: "9", count: 62)
            let deep = String(repeating: "[", count: 64) + "1" + String(repeating: "]", count: 64)
            for json in [
                deep, "[-\(digits)e308, 0.\(digits)e-308]", #"{"a": "\#(digits)\#(digits)"}"#,
                "[" + Array(repeating: "[1]", count: 1000).joined(separator: ",") + "]",
                #"["\#(String(repeating: "1", count: 5000))", 1.5]"#,
            ] {
                let result = try await example.enqueue(#""payload": \#(json)"#)[0].result
                #expect(result == "enqueued", "\(json.prefix(60))")
            }
        }
    }
}
