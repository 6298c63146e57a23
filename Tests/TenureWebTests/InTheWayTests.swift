import Foundation
import HTTPTypes
import Tenure
import Testing

@testable import TenureWeb

/// What keeps a job waiting is a link to it, and what is done to many is seen in the same list.
@Suite struct InTheWayTests {
    private let bench: ConsoleBench
    private let console: Console
    private let session = ConsoleSession(name: "ada", mayAct: true)

    init() async throws {
        bench = try await ConsoleBench()
        console = bench.console()
    }

    private func ask(_ path: String, _ form: String = "text/html") async throws -> String {
        try await Answer.to(path, .get, "", [.accept: form]) {
            await console.respond(to: $0, in: session)
        }.text
    }

    private func enqueue(_ parameters: String) async throws -> JobID {
        let ids = try await bench.pool.query(
            "SELECT job_id FROM tenure.enqueue('report', \(parameters))"
        ) { try $0.decode(0, as: UUID.self) }
        return JobID(ids[0])
    }

    @Test func `a waiter names whom it waits for`() async throws {
        let first = try await enqueue("key => 'weigh <anchor>'")
        let waiter = try await enqueue("after_completed => ARRAY['\(first)']::uuid[]")
        let page = try await ask("/jobs/\(waiter)")
        let words = "waits for 1 job to end: <a href=\"/jobs/\(first)\">\(first)</a>"
        #expect(page.contains(words + " (report, key &quot;weigh &lt;anchor&gt;&quot;)"), "\(page)")
        let json = try await ask("/jobs/\(waiter)", "application/json")
        let waiting = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let delay = (waiting?["delays"] as? [[String: Any]])?.first
        let named = try #require((delay?["jobs"] as? [[String: Any]])?.first)
        #expect(named["id"] as? String == "\(first)" && named["kind"] as? String == "report")
        #expect(named["key"] as? String == "weigh <anchor>")
        let others = try await enqueue("key => 'second'")
        let more = try await enqueue("key => 'third'")
        let last = try await enqueue("key => 'fourth'")
        let all = [first, others, more, last].map { "'\($0)'" }.joined(separator: ", ")
        let patient = try await enqueue("after_completed => ARRAY[\(all)]::uuid[]")
        #expect(try await ask("/jobs/\(patient)").contains("&quot;third&quot;), …</li>"))
    }

    @Test func `a full lane names who runs in it, and links are the names alone`() async throws {
        let runner = try await enqueue("key => 'load A', lane => 'crane', queue => 'q'")
        let waiter = try await enqueue("key => 'load B', lane => 'crane', queue => 'q'")
        try await bench.pool.simple(
            """
            UPDATE tenure.lane SET max_running = 1 WHERE name = 'crane';
            UPDATE tenure.job SET state = 'running', session_id = 1, fence = 1, claimed_at = now()
            WHERE id = '\(runner)';
            INSERT INTO tenure.lane_holders (queue, lane, n, running_ids)
            VALUES ('q', 'crane', 1000, ARRAY['\(runner)']::uuid[]);
            INSERT INTO tenure.queue (name, paused_at, paused_by) VALUES ('q', now(), 'grace')
            """)
        let page = try await ask("/jobs/\(waiter)")
        #expect(
            page.contains("<a href=\"/queues/q\">queue q</a> is paused by grace"), "\(page)")
        #expect(
            page.contains("lane crane</a> runs 1 of 1 jobs: <a href=\"/jobs/\(runner)\">"),
            "\(page)")
        #expect(page.contains("(report, key &quot;load A&quot;)"))
    }

    @Test func `of names that begin alike the longest is the link`() {
        let text = DelayList.linked("queue a-2, queue a", [("queue a", "/1"), ("queue a-2", "/2")])
        #expect(text.text == "<a href=\"/2\">queue a-2</a>, <a href=\"/1\">queue a</a>")
        #expect(DelayList.linked("<b>", [("", "/"), ("c", "/3")]).text == "&lt;b&gt;")
    }

    @Test func `what was run again is not run again once more, and is seen in the same list`()
        async throws
    {
        try await bench.pool.simple(
            """
            SELECT tenure.enqueue('paper') FROM generate_series(1, 3);
            SELECT tenure.discard_job(id, 'no paper') FROM tenure.job WHERE kind = 'paper'
            """)
        let list = "/jobs/retry?state=discarded&kind=paper"
        let before = try await ask(list)
        #expect(before.contains("Retry 3 jobs") && !before.contains("class=\"grave\""))
        #expect(before.contains("state <strong>discarded</strong>, kind <strong>paper</strong>"))
        let done = try await Answer.to(list, .post, "token=\(session.token)&all=3") {
            await console.respond(to: $0, in: session)
        }
        #expect(done.status == 303, "\(done.text)")
        #expect(done.headers[.location] == "/jobs?state=discarded&kind=paper")
        let after = try await ask("/jobs?state=discarded&kind=paper")
        #expect(after.contains(">discarded</span>, run again as <a href=\"/jobs/"), "\(after)")
        #expect(try await ask(list).contains("No job matches."))
    }

    @Test func `a list without a match offers what has ended`() async throws {
        let page = try await ask("/jobs?key=voyage%2012")
        #expect(page.contains("href=\"/jobs?key=voyage%2012&amp;finished=1\""), "\(page)")
        #expect(try await !ask("/jobs?key=voyage%2012&finished=1").contains("Look among those"))
    }
}
