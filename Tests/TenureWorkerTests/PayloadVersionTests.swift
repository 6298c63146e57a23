import FoundationEssentials
import Tenure
import TenureWorker
import TestSupport
import Testing

/// A rolling upgrade, both ways: the same kind in two releases.
@Suite struct PayloadVersionTests {
    private func registry(
        _ seen: Seen, new: Bool
    ) -> JobRegistry {
        var jobs = JobRegistry()
        if new {
            jobs.handle(MailV2.self) { mail, _ in
                await seen.add("new \(mail.to.joined(separator: "+"))")
                return .completed
            }
        } else {
            jobs.handle(MailV1.self) { mail, _ in
                await seen.add("old \(mail.to)")
                return .completed
            }
        }
        return jobs
    }

    @Test func `a newer release reads what an older one has written`() async throws {
        let fixture = try await WorkerFixture("versions-up")
        let seen = Seen()
        try await fixture.client.enqueue(MailV1(to: "ada"))
        try await fixture.client.enqueue(MailV2(to: ["bob", "eve"]))
        try await fixture.withWorker(registry(seen, new: true)) {
            try await fixture.eventually("both ran", "SELECT count(*) = 2 FROM tenure.job_history")
        }
        #expect(await seen.all.sorted() == ["new ada", "new bob+eve"])
    }

    @Test func `an older release holds what a newer one has written, and that one runs it`()
        async throws
    {
        let fixture = try await WorkerFixture("versions-down")
        let seen = Seen()
        let old = registry(seen, new: false)
        let new = registry(seen, new: true)
        let newRelease: @Sendable (inout WorkerConfiguration) -> Void = {
            $0.release = "2"
            $0.queues = ["other": 1]
            $0.sweepInterval = .milliseconds(200)
        }
        let oldRelease: @Sendable (inout WorkerConfiguration) -> Void = { $0.release = "1" }
        let last: @Sendable (inout WorkerConfiguration) -> Void = { $0.release = "2" }
        try await fixture.withWorker(old, change: oldRelease) {
            // The newer worker is there first: what is held later is released all the same.
            try await fixture.withWorker(new, change: newRelease) {
                try await fixture.eventually(
                    "both live", "SELECT count(*) = 2 FROM tenure.session WHERE ended_at IS NULL")
                let job = try await fixture.client.enqueue(MailV2(to: ["ada"]))
                try await fixture.eventually(
                    "it is held and released, again and again",
                    """
                    SELECT coalesce(bool_or(runs >= 3 AND attempt <= 1), false)
                    FROM tenure.job WHERE id = '\(job.id)'
                    """)
            }
        }
        try await fixture.withWorker(new, change: last) {
            try await fixture.eventually("it ran", "SELECT count(*) = 1 FROM tenure.job_history")
        }
        #expect(await seen.all == ["new ada"])
    }

    @Test func `what the hook can't read is held, and the reason says why`() async throws {
        let fixture = try await WorkerFixture("versions-bad")
        let bad = try NewJob(kind: MailV2.kind, payload: #"{"nobody": true}"#, payloadVersion: 1)
        try await fixture.client.enqueue([bad])
        try await fixture.withWorker(registry(Seen(), new: true)) {
            try await fixture.eventually(
                "it is held",
                """
                SELECT bool_or(state = 'held' AND attempt = 0
                               AND hold_reason LIKE '%does not decode%')
                FROM tenure.job
                """)
        }
    }
}

private actor Seen {
    private(set) var all: [String] = []
    func add(_ text: String) { all.append(text) }
}

private struct MailV1: Job {
    static let kind: JobKind = "mail"
    static let options = JobOptions<Self>()
    let to: String
}

private struct MailV2: Job {
    static let kind: JobKind = "mail"
    static let options = JobOptions<Self>(payloadVersion: 2) { payload, _ in
        struct Old: Decodable { let to: String }
        return MailV2(to: [try JSONDecoder().decode(Old.self, from: payload).to])
    }
    let to: [String]
}
