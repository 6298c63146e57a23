import Foundation
import Tenure
import Testing

@Suite struct ExpiryCommandTests {
    @Test func `an expiry is set, shown and heeded`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        let added = try await tenure.run(
            "enqueue", "demo-sleep", "--expires-in", "1h", "--json"
        ).object()
        let id = try #require(added["id"] as? String)
        let shown = try await tenure.run("job", "show", id)
        #expect(shown.output.contains("not after"))
        #expect(try await tenure.run("job", "show", id, "--json").object()["notAfter"] is String)
        #expect(try await tenure.run("job", "list").output.contains(", expires in "))
        let late = try await tenure.run(
            "enqueue", "demo-sleep", "--not-after", "2999-01-31T08:00:00Z", "--key", "a", "--json"
        ).object()
        #expect(late["result"] as? String == "enqueued")
        try await fixture.pool.simple(
            "UPDATE tenure.job SET not_after = clock_timestamp() WHERE key IS NULL")
        let coordinator = try tenure.start("coordinator")
        try await fixture.eventually(
            "it expired", "SELECT count(*) = 1 FROM tenure.job_history WHERE outcome = 'discarded'")
        coordinator.send(SIGTERM)
        #expect(try await coordinator.result().code == 0)
        #expect(try await tenure.run("job", "show", id).output.contains("discarded: expired: "))
        let stats = try await tenure.run("stats", "--json").object()
        let kinds = try #require(stats["kinds"] as? [[String: Any]])
        #expect(kinds.first?["expired"] as? Int == 1)
        #expect(try await tenure.run("stats").output.contains("EXPIRED"))
    }

    @Test func `a wrong expiry is one line that says what to do`() async throws {
        let fixture = try await Fixture()
        let cases = [
            ("--expires-in=0s", "which leaves the job no time to begin"),
            ("--expires-in=1ms", "give a time after its run time"),
            ("--expires-in=soon", "--expires-in is \"soon\""),
            ("--not-after=2020-01-31T08:00:00Z", "give a time ahead"),
            ("--not-after=friday", "give a time such as 2030-01-31T08:00:00Z"),
        ]
        for (flag, text) in cases {
            let after = flag.hasSuffix("1ms") ? "10m" : "0s"
            let refused = try await fixture.tenure.run(
                "enqueue", "demo-sleep", flag, "--after", after)
            #expect(refused.code == 2)
            #expect(refused.errors.contains(text), "\(flag): \(refused.errors)")
        }
        #expect(try await fixture.jobs() == 0)
    }
}
