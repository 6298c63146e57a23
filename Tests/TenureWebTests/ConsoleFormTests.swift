import Foundation
import HTTPTypes
import Tenure
import Testing

@testable import TenureWeb

/// Jobs that are enqueued and edited in a browser, and who did what.
@Suite struct ConsoleFormTests {
    private struct Desk {
        let bench: ConsoleBench
        let console: Console
        let session = ConsoleSession(name: "ada", mayAct: true)

        init() async throws {
            bench = try await ConsoleBench()
            console = bench.console()
        }

        func post(
            _ path: String, _ form: String, json: Bool = false
        ) async throws -> Answer {
            let headers: HTTPFields = json ? [.accept: "application/json"] : [:]
            return try await Answer.to(
                path, .post, "token=\(session.token)&\(form)", headers
            ) { await console.respond(to: $0, in: session) }
        }

        func actions() async throws -> [OperatorAction] {
            try await Inspector(pool: bench.pool).actions()
        }
    }

    private static func encoded(_ text: String) -> String { Links.encoded(text) }

    @Test func `a form enqueues a job, as its fields say`() async throws {
        let desk = try await Desk()
        let form =
            "kind=report&queue=desk&key=a&mode=keeping&after=1h&priority=2&payload="
            + Self.encoded(#"{"word": 1}"#)
        let made = try await desk.post("/jobs/enqueue", form)
        #expect(made.status == 303, "\(made.text)")
        let path = try #require(made.headers[.location])
        let id = try #require(JobID(String(path.dropFirst("/jobs/".count))))
        let job = try #require(try await Inspector(pool: desk.bench.pool).job(id))
        let summary = job.summary
        #expect(summary.kind == "report" && summary.queue == "desk" && summary.key == "a")
        #expect(summary.priority == 2 && summary.status == .scheduled)
        #expect(job.payload == #"{"word": 1}"#)
        // The key has it already.
        let again = try await desk.post("/jobs/enqueue", form, json: true)
        #expect(again.status == 409 && again.text.contains("nothing was added"))
        let acts = try await desk.actions()
        #expect(acts.map(\.verb) == ["enqueue"])
        #expect(acts[0].whom == "ada" && acts[0].source == .console && acts[0].jobs == 1)
    }

    @Test func `a verb may say why, and the audit log keeps it`() async throws {
        let desk = try await Desk()
        let console = desk.console
        func page(_ path: String, mayAct: Bool) async throws -> String {
            try await Answer.to(path) {
                await console.respond(to: $0, in: ConsoleSession(name: "ada", mayAct: mayAct))
            }.text
        }
        #expect(try await page("/kinds", mayAct: true).contains("name=\"because\""))
        #expect(try await !page("/kinds", mayAct: false).contains("name=\"because\""))
        // Characters are counted, and not their bytes.
        let text = String(repeating: "ä", count: 1024)
        let why = Self.encoded(text)
        for path in [
            "/queues/default/pause", "/queues/default/resume", "/kinds/report/pause",
            "/lanes/default/a/hold", "/lanes/default/a/release",
        ] {
            let done = try await desk.post(path, "because=\(why)", json: true)
            #expect(done.status == 200, "\(path): \(done.text)")
        }
        let acts = try await desk.actions()
        #expect(acts.count == 5)
        #expect(acts.allSatisfy { $0.reason == text }, "\(acts.map(\.reason))")
        // Too long a one does nothing.
        let long = String(repeating: "w", count: 1025)
        let refused = try await desk.post("/kinds/report/resume", "because=\(long)", json: true)
        #expect(refused.status == 400 && refused.text.contains("give 1024 at most"))
        let edit = "priority=7&tags=kept&because=\(long)"
        let form = try await desk.post("/jobs/\(desk.bench.job)/edit", edit)
        #expect(form.status == 400 && form.text.contains("value=\"kept\""), "\(form.text)")
        let blank = try await desk.post("/kinds/report/resume", "because=+", json: true)
        #expect(blank.status == 200)
        let all = try await desk.actions()
        #expect(all.count == 6 && all[0].reason == nil)
        let page = try await page("/actions", mayAct: true)
        #expect(page.contains("ä"))
    }

    @Test func `what can't be enqueued is told in the form, which keeps what was filled in`()
        async throws
    {
        let desk = try await Desk()
        let before = try await Inspector(pool: desk.bench.pool).jobs().count
        try await Operator(client: desk.bench.client, as: "ada").setCapacity(of: "full", to: 1)
        try await desk.bench.client.enqueue([
            try NewJob(kind: "report", payload: "{}", queue: "full")
        ])
        for (form, why, status) in [
            ("kind=", "there is no kind", 400), ("kind=nobodys", "names the kind", 400),
            ("kind=report&payload=%7B", "payload", 400),
            ("kind=report&mode=keeping", "wants a key", 400),
            ("kind=report&key=a&mode=debounced", "wants a pause", 400),
            ("kind=report&key=a&mode=odd", "mode is none of", 400),
            ("kind=report&priority=12", "give 0 to 9", 400),
            ("kind=report&priority=x", "whole number", 400),
            ("kind=report&after=soon", "give a length", 400),
            ("kind=report&at=noon", "give a time", 400),
            ("kind=report&after=1h&at=2100-01-01T00%3A00", "not both", 400),
            ("kind=report&queue=a%0Ab", "control character", 400),
            ("kind=report&queue=full", "is full", 409),
        ] {
            let page = try await desk.post("/jobs/enqueue", form)
            #expect(page.status == status && page.text.contains(why), "\(form): \(page.text)")
            #expect(page.text.contains("<textarea") && page.text.contains("notice bad"))
            let json = try await desk.post("/jobs/enqueue", form, json: true)
            #expect(json.status == status && json.text.contains(why), "\(form): \(json.text)")
        }
        let kept = try await desk.post("/jobs/enqueue", "kind=%3Cb%3E&key=%22q%22&mode=coalescing")
        #expect(kept.text.contains("value=\"&lt;b&gt;\"") && kept.text.contains("&quot;q&quot;"))
        #expect(kept.text.contains("<option value=\"coalescing\" selected>"))
        #expect(try await Inspector(pool: desk.bench.pool).jobs().count == before + 1)
        #expect(try await desk.actions().map(\.verb) == ["bound"])
        let forced = try await desk.post("/jobs/enqueue", "kind=nobodys&force=1")
        #expect(forced.status == 303)
    }

    @Test func `a form edits a job that waits, and says why it can't one that doesn't`()
        async throws
    {
        let desk = try await Desk()
        let (id, pool) = (desk.bench.job, desk.bench.pool)
        let path = "/jobs/\(id)/edit"
        let old = try #require(try await Inspector(pool: pool).job(id))
        let edited = try await desk.post(
            path, "priority=1&at=2100-01-31T08%3A00&max-attempts=3&queue=other&payload=%5B1%5D")
        #expect(edited.status == 303 && edited.headers[.location] == "/jobs/\(id)")
        let job = try #require(try await Inspector(pool: pool).job(id))
        #expect(job.summary.priority == 1 && job.summary.maxAttempts == 3)
        #expect(job.summary.queue == "other" && job.payload == "[1]")
        #expect(TimeText.exact(job.summary.runAt).hasPrefix("2100-01-31T08:00:00"))
        #expect(try #require(job.summary.generation) > #require(old.summary.generation))
        let nothing = try await desk.post(path, "priority=")
        #expect(nothing.status == 400 && nothing.text.contains("changes nothing"))
        let wrong = try await desk.post(path, "priority=12&payload=%5B2%5D")
        #expect(wrong.status == 400 && wrong.text.contains("give 0 to 9"))
        #expect(wrong.text.contains(">\n[2]</textarea>"))
        try await Operator(client: desk.bench.client, as: "eve").cancel(id)
        let over = try await desk.post(path, "priority=2", json: true)
        #expect(over.status == 409 && over.text.contains("it is over"))
        let nobody = try await desk.post("/jobs/\(JobID())/edit", "priority=2")
        #expect(nobody.status == 404)
        #expect(try await desk.actions().map(\.verb) == ["cancel", "edit"])
    }

    @Test func `a job's page leads to who did what to it, and a reader has no form`()
        async throws
    {
        let desk = try await Desk()
        let id = desk.bench.job
        let reader = ConsoleSession(name: "eve", mayAct: false)
        func page(_ path: String, _ session: ConsoleSession) async throws -> Answer {
            try await Answer.to(path) { await desk.console.respond(to: $0, in: session) }
        }
        #expect(try await page("/jobs/\(id)", desk.session).text.contains("/jobs/\(id)/edit"))
        #expect(try await !page("/jobs/\(id)", reader).text.contains("/edit"))
        for path in ["/jobs/enqueue", "/jobs/\(id)/edit"] {
            #expect(try await page(path, desk.session).text.contains("<input form=\"verbs\""))
            let looked = try await page(path, reader)
            #expect(looked.status == 200 && looked.text.contains("You only look"))
            #expect(!looked.text.contains("form=\"verbs\""))
            let posted = try await Answer.to(path, .post, "token=\(reader.token)&kind=report") {
                await desk.console.respond(to: $0, in: reader)
            }
            #expect(posted.status == 403)
        }
        _ = try await desk.post("/jobs/\(id)/cancel", "")
        let link = "/actions?job=\(id)"
        #expect(try await page("/jobs/\(id)", reader).text.contains("href=\"\(link)\""))
        let told = try await page(link, reader)
        #expect(told.text.contains("ada") && told.text.contains("console, as "))
        #expect(told.text.contains("href=\"/jobs/\(id)\""))
    }
}
