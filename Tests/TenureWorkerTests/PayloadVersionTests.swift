import Tenure
import TenureFoundation
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

    @Test func `an older release leaves what a newer one has written to that one`()
        async throws
    {
        let fixture = try await WorkerFixture("versions-down")
        let seen = Seen()
        let old = registry(seen, new: false)
        let new = registry(seen, new: true)
        let newRelease: @Sendable (inout WorkerConfiguration) -> Void = {
            $0.release = "2"
            $0.queues = ["other": 1]
            $0.sweepInterval = .milliseconds(100)
        }
        let oldRelease: @Sendable (inout WorkerConfiguration) -> Void = { $0.release = "1" }
        let last: @Sendable (inout WorkerConfiguration) -> Void = { $0.release = "2" }
        try await fixture.withWorker(old, change: oldRelease) {
            // The newer worker is there, in another queue, and would release what was held.
            try await fixture.withWorker(new, change: newRelease) {
                try await fixture.eventually(
                    "both live", "SELECT count(*) = 2 FROM tenure.session WHERE ended_at IS NULL")
                let newer = try await fixture.client.enqueue(MailV2(to: ["ada"]))
                try await fixture.client.enqueue(MailV1(to: "eve"))
                try await fixture.eventually(
                    "what comes after it ran", "SELECT count(*) = 1 FROM tenure.job_history")
                // Several sweeps later it waits as it was: nobody claimed it, nothing was logged.
                try await Task.sleep(for: .milliseconds(500))
                #expect(
                    try await fixture.value(
                        """
                        SELECT state = 'available' AND runs = 0
                        FROM tenure.job WHERE id = '\(newer.id)'
                        """))
                let inspector = Inspector(pool: fixture.pool)
                let detail = try #require(try await inspector.job(newer.id))
                let delays = try await inspector.delays(of: detail).map(\.detail)
                #expect(delays.contains { $0.hasPrefix("its payload has version 2, and no live") })
                let unread = try await inspector.unreadPayloads()
                #expect(unread.map(\.kind) == [MailV2.kind] && unread.map(\.version) == [2])
            }
        }
        try await fixture.withWorker(new, change: last) {
            try await fixture.eventually("it ran", "SELECT count(*) = 2 FROM tenure.job_history")
        }
        #expect(await seen.all == ["old eve", "new ada"])
    }

    @Test func `what an older release had to hold is released by one that reads it`() async throws {
        let fixture = try await WorkerFixture("versions-held")
        let seen = Seen()
        try await fixture.client.enqueue(MailV2(to: ["ada"]))
        try await fixture.pool.simple(
            "UPDATE tenure.job SET state = 'held', hold_versions = '{oldest}', hold_reason = 'x'")
        let sweeps: @Sendable (inout WorkerConfiguration) -> Void = {
            $0.release = "1"
            $0.sweepInterval = .milliseconds(50)
        }
        try await fixture.withWorker(registry(seen, new: false), change: sweeps) {
            try await Task.sleep(for: .milliseconds(400))
            #expect(try await fixture.value("SELECT state = 'held' FROM tenure.job"))
        }
        try await fixture.withWorker(registry(seen, new: true)) {
            try await fixture.eventually("it ran", "SELECT count(*) = 1 FROM tenure.job_history")
        }
        #expect(await seen.all == ["new ada"])
    }

    @Test func `what two releases can't decode is held once by each, and then left alone`()
        async throws
    {
        let fixture = try await WorkerFixture("versions-both")
        let bad = try NewJob(kind: MailV2.kind, payload: #"{"nobody": true}"#)
        try await fixture.client.enqueue([bad])
        let one: @Sendable (inout WorkerConfiguration) -> Void = {
            $0.release = "1"
            $0.sweepInterval = .milliseconds(20)
        }
        let two: @Sendable (inout WorkerConfiguration) -> Void = {
            $0.release = "2"
            $0.sweepInterval = .milliseconds(20)
        }
        try await fixture.withWorker(registry(Seen(), new: false), change: one) {
            try await fixture.withWorker(registry(Seen(), new: true), change: two) {
                try await fixture.eventually(
                    "both have held it",
                    """
                    SELECT state = 'held' AND hold_versions @> '{1, 2}' FROM tenure.job
                    """)
                // Many sweeps later nobody has tried again.
                try await Task.sleep(for: .milliseconds(300))
                #expect(
                    try await fixture.value("SELECT state = 'held' AND runs = 2 FROM tenure.job"))
            }
        }
    }

    @Test func `what a release that is gone has released is left, and one is told why`()
        async throws
    {
        let fixture = try await WorkerFixture("versions-gone")
        let job = try await fixture.client.enqueue([
            try NewJob(kind: MailV2.kind, payload: #"{"nobody": true}"#)
        ])[0].id
        let one: @Sendable (inout WorkerConfiguration) -> Void = { $0.release = "1" }
        try await fixture.withWorker(registry(Seen(), new: false), change: one) {
            try await fixture.eventually("it is held", "SELECT state = 'held' FROM tenure.job")
            // Another release let it go, and went.
            #expect(
                try await fixture.value(
                    "SELECT released = 1 FROM tenure.release_held('{\(MailV2.kind)}', '2')"))
            let inspector = Inspector(pool: fixture.pool)
            let detail = try #require(try await inspector.job(job))
            let delays = try await inspector.delays(of: detail)
            #expect(delays.map(\.rule) == [.held])
            #expect(delays.first?.detail.contains(#"held it before ("1")"#) == true)
            #expect(try await inspector.unreadPayloads().map(\.due) == [1])
            #expect(
                try await fixture.value("SELECT state = 'available' AND runs = 1 FROM tenure.job"))
        }
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
