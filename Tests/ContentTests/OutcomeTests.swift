import Content
import HTTPTransport
import Tenure
import TenureFoundation
import TestSupport
import Testing

/// What an answer, or the lack of one, comes to: outcome, class, whether an attempt is charged,
/// what the item and the target become. By a real server and real connections.
@Suite(.serialized) struct OutcomeTests {
    struct Row: Sendable, CustomStringConvertible {
        let path: String
        var answer: LocalWeb.Answer?
        var limits: FetchLimits?
        let outcome: FetchOutcome
        var code: String?
        var failure: FailureClass?
        var status: Int?
        /// What becomes of a job that has one attempt.
        var job = "completed"
        var target: String
        var attempt = 1
        var description: String { path }
    }

    private static func blocked(_ status: Int) -> Row {
        Row(
            path: "/\(status)", answer: .status(status), outcome: .failed, code: "\(status)",
            failure: .blocked, status: status, target: "blocked")
    }

    private static func permanent(_ status: Int) -> Row {
        Row(
            path: "/\(status)", answer: .status(status), outcome: .failed, code: "\(status)",
            failure: .permanent, status: status, target: "suspect")
    }

    private static func transient(_ status: Int) -> Row {
        Row(
            path: "/\(status)", answer: .status(status), outcome: .failed, code: "\(status)",
            failure: .transient, status: status, job: "discarded", target: "suspect")
    }

    private static func deferred(_ path: String, _ answer: LocalWeb.Answer) -> Row {
        Row(
            path: path, answer: answer, outcome: .failed, code: "\(answer.status)",
            failure: .deferred, status: answer.status, job: "scheduled", target: "none",
            attempt: 0)
    }

    private static func broken(
        _ path: String, _ answer: LocalWeb.Answer?, _ code: String, _ failure: FailureClass,
        _ limits: FetchLimits? = nil, status: Int? = nil
    ) -> Row {
        Row(
            path: path, answer: answer, limits: limits, outcome: .failed, code: code,
            failure: failure, status: status,
            job: failure == .transient ? "discarded" : "completed",
            target: "suspect")
    }

    private static func limits(_ change: (inout FetchLimits) -> Void) -> FetchLimits {
        var limits = FetchLimits()
        change(&limits)
        return limits
    }

    static let statuses =
        [
            Row(
                path: "/200", answer: .page("<title>t</title><p>text"), outcome: .stored,
                status: 200, target: "ok"),
            Row(
                path: "/410", answer: .status(410), outcome: .gone, code: "410",
                failure: .permanent, status: 410, target: "suspect"),
            Row(
                path: "/304", answer: .status(304), outcome: .failed, code: "304",
                failure: .permanent, status: 304, target: "suspect"),
            Row(
                path: "/206", answer: .status(206), outcome: .failed, code: "206",
                failure: .permanent, status: 206, target: "suspect"),
        ] + [401, 403, 407, 451].map(blocked)
        + [400, 404, 405, 418, 501].map(permanent)
        + [408, 425, 500, 502, 503, 504].map(transient)

    static let others = [
        Row(
            path: "/302", answer: .redirect(302, "/200"), outcome: .stored, status: 200,
            target: "redirected"),
        Row(
            path: "/image", answer: LocalWeb.Answer(headers: ["Content-Type: image/png"]),
            outcome: .skipped, code: "type", status: 200, target: "ok"),
        Row(
            path: "/cloudflare", answer: .status(503, "cf-mitigated: challenge"), outcome: .failed,
            code: "challenge", failure: .blocked, status: 503, target: "blocked"),
        Row(
            path: "/human", answer: .page("<title>Just a moment...</title><p>Wait"),
            outcome: .failed, code: "challenge", failure: .blocked, status: 200,
            target: "blocked"),
        broken("/loop", .redirect(301, "/loop"), "redirectLoop", .permanent),
        broken("/away", .redirect(301, "ftp://x.test/"), "badRedirect", .permanent, status: 301),
        broken("/private", .redirect(302, "http://10.0.0.1/"), "refusedAddress", .permanent),
        broken(
            "/hop", .redirect(302, "/302"), "tooManyRedirects", .permanent,
            limits { $0.redirects = 1 }),
        broken(
            "/big", .page(String(repeating: "a", count: 5000)), "bodyTooLarge", .permanent,
            limits { $0.wireBytes = 4999 }),
        broken(
            "/heads", .page("x", "X-Long: " + String(repeating: "a", count: 7000)),
            "headersTooLarge", .permanent, limits { $0.headerBytes = 6000 }),
        broken(
            "/cut", LocalWeb.Answer(body: Array("<p>half".utf8), isCut: true), "truncated",
            .transient),
        broken("/silent", LocalWeb.Answer(isSilent: true), "timeoutFirstByte", .transient),
    ]

    static let asleep = [
        deferred("/429", .status(429)), deferred("/429-60", .status(429, "Retry-After: 60")),
        deferred("/503-60", .status(503, "Retry-After: 60")),
    ]

    private func expect(_ rows: [Row], _ bench: FetchBench) async throws {
        for row in rows {
            if let answer = row.answer { bench.web.answer(row.path, answer) }
        }
        try await bench.working {
            for row in rows {
                let fetch = bench.fetch(row.path, limits: row.limits)
                let end = try await bench.ended(bench.enqueue(fetch))
                #expect(end.state == row.job, "\(row)")
                #expect(end.attempt == row.attempt, "\(row)")
                try await expect(row, fetch.url, bench)
            }
        }
    }

    private func expect(_ row: Row, _ url: String, _ bench: FetchBench) async throws {
        let found = try await bench.pool.query(
            """
            SELECT f.outcome, f.code, f.class, f.status, f.is_charged, f.total IS NOT NULL
            FROM content.fetch_run f WHERE f.item = content.digest($1)
            """, [url]
        ) { row in
            Written(
                outcome: try row.decode(0), code: try row.decode(1), failure: try row.decode(2),
                status: try row.decode(3, as: Int32?.self).map(Int.init),
                isCharged: try row.decode(4), isTimed: try row.decode(5))
        }
        #expect(found.count == 1, "\(row)")
        let wanted = Written(
            outcome: row.outcome.rawValue, code: row.code, failure: row.failure?.rawValue,
            status: row.status, isCharged: row.attempt == 1,
            // Another host's address: the run that was refused made no request.
            isTimed: row.code != "refusedAddress")
        #expect(found.first == wanted, "\(row)")
        #expect(try await bench.state(of: url) == row.target, "\(row)")
        guard row.failure != .deferred else { return }
        let item = try #require(try await bench.items.item(url: url), "\(row)")
        #expect(item.outcome == row.outcome && item.code == row.code, "\(row)")
        #expect(item.version == (row.outcome == .stored ? 1 : 0), "\(row)")
    }

    private struct Written: Equatable {
        let outcome: String
        let code: String?
        let failure: String?
        let status: Int?
        let isCharged: Bool
        let isTimed: Bool
    }

    @Test func `every status comes to its outcome`() async throws {
        try await expect(Self.statuses, try await FetchBench("statuses"))
    }

    @Test func `so does everything else that may come back`() async throws {
        let bench = try await FetchBench("answers")
        bench.web.answer("/200", .page("<title>t</title><p>text"))
        try await expect(Self.others, bench)
    }

    @Test(arguments: asleep.indices)
    func `a host that wants a pause costs no attempt`(_ number: Int) async throws {
        // Each on a host of its own: the first one puts it on hold.
        try await expect([Self.asleep[number]], try await FetchBench("asleep"))
    }

    @Test func `what can't be connected to is tried again, and robots are heeded`() async throws {
        let bench = try await FetchBench("refused")
        bench.web.answer(
            "/robots.txt",
            LocalWeb.Answer(
                headers: ["Content-Type: text/plain"],
                body: Array("User-agent: *\nDisallow: /shut".utf8)))
        let shut = try await bench.run(bench.fetch("/shut"))
        #expect(shut.outcome == .skipped && shut.code == "robots")
        #expect(bench.web.requests("/shut").isEmpty)
        #expect(try await bench.state(of: shut.url) == "skipped")
        // A port that nobody listens on.
        let dead = try await bench.run(ContentFetch(url: "http://127.0.0.1:1/"))
        #expect(dead.outcome == .failed && dead.code == "connectRefused")
        let last = try await bench.last(shut)
        #expect(last.outcome == .skipped && last.total == nil)
    }

    @Test func `limits can be lowered, and nonsense is told`() async throws {
        var limits = FetchLimits()
        limits.wireBytes = 0
        let bench = try await FetchBench("limits")
        let job = try await bench.enqueue(bench.fetch("/", limits: limits))
        #expect(try await bench.working { try await bench.ended(job) }.state == "discarded")
        let reason = try await bench.value(
            "SELECT reason FROM tenure.job_history", as: String.self)
        #expect(reason == "limits.wireBytes is 0; give 1 or more")
    }
}
