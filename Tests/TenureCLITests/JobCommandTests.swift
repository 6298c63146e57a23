import Foundation
import Tenure
import Testing

@Suite struct JobCommandTests {
    @Test func `a job of the product has the key of what it is about, whoever enqueues it`()
        async throws
    {
        let fixture = try await Fixture()
        func enqueue(_ kind: String, _ payload: String) async throws -> String? {
            let added = try await fixture.tenure.run(
                "enqueue", kind, "--payload", payload, "--json")
            return try added.object()["result"] as? String
        }
        #expect(
            try await enqueue("content-fetch", #"{"url":"HTTP://Example.org:80/a#b"}"#)
                == "enqueued")
        #expect(try await enqueue("content-fetch", #"{"url":"http://example.org/a"}"#) == "kept")
        #expect(
            try await enqueue("content-fetch", #"{"url":"http://example.org/a","mode":"file"}"#)
                == "enqueued")
        #expect(
            try await enqueue("dependency-check", #"{"url":"http://example.org/a"}"#)
                == "enqueued")
        #expect(
            try await fixture.value(
                "SELECT string_agg(key, ', ' ORDER BY key) FROM tenure.job", as: String.self)
                == "article http://example.org/a, file http://example.org/a, "
                + "target http://example.org/a")
    }

    @Test func `an enqueued job is listed, shown and cancelled`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let added = try await tenure.run(
            "enqueue", "demo-sleep", "--payload", #"{"seconds": 1}"#, "--key", "k1", "--json")
        #expect(added.code == 0)
        #expect(added.errors == "")
        let id = try #require(try added.object()["id"] as? String)
        #expect(try added.object()["result"] as? String == "enqueued")

        let table = try await tenure.run("job", "list")
        #expect(table.output.hasPrefix("ID "))
        #expect(table.output.contains(id))
        let list = try await tenure.run("job", "list", "--key", "k1", "--json").array()
        #expect(list.count == 1)
        #expect(list[0]["state"] as? String == "available")
        #expect(list[0].keys.contains("finishedAt"))

        let shown = try await tenure.run("job", "show", id)
        #expect(shown.output.contains("generation") && shown.output.contains("0 of 25"))
        let story = try await tenure.run("job", "show", id, "--json").object()
        #expect((story["payload"] as? [String: Any])?["seconds"] as? Int == 1)

        let gone = try await tenure.run("job", "cancel", id, "--by", "ada")
        #expect(gone.code == 0)
        #expect(gone.output == "cancelled \(id)\n")
        let again = try await tenure.run("job", "cancel", id)
        #expect(again.code == 1)
        #expect(again.output == "nothing done to \(id): it was over already\n")
        let ended = try await tenure.run("job", "show", id)
        #expect(ended.output.contains("cancelled: ada"))
        #expect(ended.output.contains("WHEN") && ended.output.contains("made"))
    }

    @Test func `show tells what superseded a job`() async throws {
        let fixture = try await Fixture()
        let sleep = ["enqueue", "demo-sleep", "--key", "page", "--payload", #"{"seconds":1}"#]
        let first = try await fixture.tenure.run(sleep[0], sleep[1], sleep[2], sleep[3], "--json")
        let second = try await fixture.tenure.run(sleep[0], sleep[1], sleep[2], sleep[3], "--json")
        let id = try #require(try first.object()["id"] as? String)
        let story = try await fixture.tenure.run("job", "show", id, "--json").object()
        #expect(story["state"] as? String == "superseded")
        #expect(story["supersededBy"] as? String == (try second.object()["id"] as? String))
    }

    @Test func `retry runs a finished job as a new one`() async throws {
        let fixture = try await Fixture()
        let added = try await fixture.tenure.run("enqueue", "demo-fail", "--json").object()
        let id = try #require(added["id"] as? String)
        _ = try await fixture.tenure.run("job", "cancel", id)
        let again = try await fixture.tenure.run("job", "retry", id, "--json")
        #expect(again.code == 0)
        let newID = try #require(try again.array().first?["newID"] as? String)
        #expect(newID != id)
        let story = try await fixture.tenure.run("job", "show", newID, "--json").object()
        #expect(story["retryOf"] as? String == id)
        let old = try await fixture.tenure.run("job", "show", id)
        #expect(old.output.contains("retried as") && old.output.contains(newID))
        let second = try await fixture.tenure.run("job", "retry", id)
        #expect(second.code == 1)
        #expect(second.output.contains("nothing done to \(id)") && second.output.contains(newID))
        let more = try await fixture.tenure.run("job", "retry", id, "--again", "--json")
        #expect(try more.array().first?["newID"] as? String != newID)
        #expect(try await fixture.jobs() == 2)
    }

    @Test func `modes, priorities, lanes and run times reach the job`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let kept = try await tenure.run(
            "enqueue", "demo-fail", "--key", "a", "--mode", "keeping", "--priority", "2",
            "--queue", "mail", "--lane", "host", "--max-attempts", "3", "--after", "10m")
        #expect(kept.code == 0)
        let second = try await tenure.run(
            "enqueue", "demo-fail", "--key", "a", "--mode", "keeping", "--json")
        #expect(try second.object()["result"] as? String == "kept")
        let isRight = try await fixture.value(
            """
            SELECT priority = 2 AND queue = 'mail' AND lane = 'host' AND max_attempts = 3
                   AND state = 'scheduled' AND run_at > clock_timestamp() + interval '9 min'
            FROM tenure.job
            """, as: Bool.self)
        #expect(isRight)
        let at = try await tenure.run("enqueue", "demo-fail", "--at", "2033-01-31T08:00:00Z")
        #expect(at.code == 0)
        #expect(
            try await fixture.value(
                "SELECT bool_or(run_at = '2033-01-31 08:00:00+00') FROM tenure.job", as: Bool.self))
    }

    @Test func `a payload comes from standard input or a file`() async throws {
        let fixture = try await Fixture()
        let piped = try await fixture.tenure.run(
            "enqueue", "demo-sleep", "--payload", "-", input: #"{"seconds":7}"#)
        #expect(piped.code == 0)
        try await withFolder { folder in
            let path = "\(folder)/payload.json"
            try #"{"seconds":8}"#.write(toFile: path, atomically: true, encoding: .utf8)
            let read = try await fixture.tenure.run(
                "enqueue", "demo-sleep", "--payload", "@\(path)")
            #expect(read.code == 0)
        }
        let sum = try await fixture.value(
            "SELECT sum((payload ->> 'seconds')::int)::bigint FROM tenure.job", as: Int64.self)
        #expect(sum == 15)
    }
}
