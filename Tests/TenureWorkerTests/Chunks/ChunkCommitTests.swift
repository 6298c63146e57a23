import Logging
import Tenure
import TenureWorker
import TestSupport
import Testing

/// What becomes of a chunk whose commit goes wrong as a whole, and who is told.
@Suite struct ChunkCommitTests {
    enum Loss: CaseIterable {
        case ofTheAnswer, ofTheCommit
    }

    @Test(.disabled(if: TestPostgres.isPooled), arguments: Loss.allCases)
    func `a chunk whose COMMIT was cut off is done once, and charged to nobody`(_ loss: Loss)
        async throws
    {
        let postgres = try await TestPostgres.shared()
        let conninfo = try await postgres.makeMigratedDatabase()
        let proxy = try TestProxy(to: postgres.socketFile)
        defer { proxy.stop() }
        let recorder = Recorder()
        let scene = try await ChunkScene(
            WorkerFixture(
                conninfo: "\(conninfo) host=127.0.0.1 port=\(proxy.port) sslmode=disable",
                "cut off", log: recorder))
        let jobs = scene.jobs(meanwhile: { _ in
            proxy.set(loss == .ofTheAnswer ? .cutAfter("COMMIT") : .cutBefore("COMMIT"), once: true)
        })
        try await scene.fixture.withWorker(jobs, slots: ChunkScene.size, lease: .seconds(30)) {
            try await scene.enqueue()
            try await scene.ended()
        }
        #expect(try await scene.effects() == (32, 1))
        #expect(try await scene.errors == 0)
        #expect(scene.calls.sizes == (loss == .ofTheAnswer ? [32] : [32, 32]))
        let truths = recorder.all.filter { $0.message.contains("a commit's answer was lost") }
        #expect(!truths.isEmpty)
    }

    @Test func `a chunk that fails is told of, with the error's code and nobody's payload`()
        async throws
    {
        let recorder = Recorder()
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let scene = try await ChunkScene(
            WorkerFixture(conninfo: conninfo, "failed", log: recorder))
        try await scene.fixture.pool.simple("ALTER TABLE effect ADD CHECK (number <> 1007)")
        try await scene.fixture.withWorker(scene.jobs(), slots: ChunkScene.size) {
            try await scene.enqueue()
            try await scene.ended(31)
            try await scene.ended(1, as: "discarded")
        }
        let told = recorder.all.filter { $0.message.hasPrefix("a chunk was not committed") }
        // 32, then one half each time, until the one is alone.
        #expect(
            told.compactMap { $0.metadata["tenure.count"] ?? $0.metadata["count"] }
                .map(String.init(describing:)) == ["32", "16", "8", "4", "2"])
        #expect(told.allSatisfy { $0.level == .warning })
        let text = told.map { "\($0.metadata)" }.joined()
        #expect(text.contains("23514"))
        #expect(!text.contains("Failing row"))
    }

    @Test func `one whose time is over while it waits in line leaves the others`() async throws {
        let scene = try await ChunkScene("timed out")
        var jobs = JobRegistry()
        let writer = ChunkWriter<Int>(upTo: 2, within: .seconds(5)) { members, transaction in
            for member in members {
                try await transaction.query(
                    "INSERT INTO effect VALUES ($1, 0)", [Int64(member.value)])
            }
        }
        jobs.handle(Parcel.self) { parcel, context in
            try await context.commit(parcel.number, by: writer)
        }
        jobs.handle(HurriedParcel.self) { parcel, context in
            try await context.commit(parcel.number, by: writer)
        }
        try await scene.fixture.withWorker(jobs, slots: 4) {
            try await scene.fixture.client.enqueue(HurriedParcel(number: 1))
            try await scene.fixture.eventually(
                "its time is over",
                "SELECT count(*) = 1 FROM tenure.job_history WHERE outcome = 'discarded'")
            #expect(try await scene.fixture.count("effect") == 0)
            try await scene.enqueue(2)
            try await scene.fixture.eventually(
                "the others are committed",
                "SELECT count(*) = 2 FROM tenure.job_history WHERE outcome = 'completed'")
        }
        #expect(try await scene.effects() == (2, 1))
    }
}

/// A parcel that waits for half a second at most.
private struct HurriedParcel: Job {
    static let kind: JobKind = "hurried-parcel"
    static let options = JobOptions<Self>(retry: .never, timeout: .milliseconds(500))
    let number: Int
}
