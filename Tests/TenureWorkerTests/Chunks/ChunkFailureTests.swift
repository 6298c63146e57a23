import Synchronization
import Tenure
import TenureWorker
import TestSupport
import Testing

/// A member that is late, fails or takes its time leaves nothing, and spoils nothing.
@Suite struct ChunkFailureTests {
    /// Where a superseding enqueue meets the chunk of the job that it supersedes.
    enum Point: CaseIterable {
        case beforeTheLook, inTheWrites, atTheSubject, atTheSubjectForLong
    }

    @Test(arguments: Point.allCases)
    func `one of 32 that is superseded leaves no row, and 31 are committed`(_ point: Point)
        async throws
    {
        let scene = try await ChunkScene("superseded")
        let (isWritten, isLocked) = (Flag(), Flag())
        let jobs = scene.jobs { parcel, _ in
            if point == .beforeTheLook, parcel.number == 1007 { try await scene.supersede(1007) }
        } meanwhile: { _ in
            switch point {
            case .beforeTheLook: break
            case .inTheWrites: try await scene.supersede(1007)
            case .atTheSubject, .atTheSubjectForLong:
                isWritten.set()
                try await isLocked.wait()
            }
        }
        try await scene.fixture.withWorker(jobs, slots: ChunkScene.size) {
            try await scene.enqueue()
            if point == .atTheSubject || point == .atTheSubjectForLong {
                try await isWritten.wait()
                try await scene.fixture.pool.transaction { transaction in
                    try await transaction.query(
                        """
                        SELECT * FROM tenure.enqueue(
                            'parcel', '{"number": 1007, "isNew": true}', key => 'parcel 1007')
                        """)
                    isLocked.set()
                    if point == .atTheSubject {
                        try await Task.sleep(for: .milliseconds(100))
                    } else {
                        // Nobody else waits for what one of them waits for.
                        try await scene.ended(31)
                    }
                }
            }
            try await scene.ended(31)
            try await scene.ended(1, as: "superseded")
        }
        #expect(try await scene.effects().count == 31)
        #expect(try await scene.fixture.count("effect WHERE number = 1007") == 0)
        #expect(try await scene.errors == 0)
        if point == .beforeTheLook { return }
        #expect(scene.calls.sizes.first == 32)
        if point == .inTheWrites { #expect(scene.calls.sizes == [32, 31]) }
    }

    @Test func `one whose write a constraint refuses is charged, and nobody else`() async throws {
        let scene = try await ChunkScene("constraint")
        try await scene.fixture.pool.simple("ALTER TABLE effect ADD CHECK (number <> 1007)")
        try await scene.fixture.withWorker(scene.jobs(), slots: ChunkScene.size) {
            try await scene.enqueue()
            try await scene.ended(31)
            try await scene.ended(1, as: "discarded")
        }
        #expect(try await scene.effects().count == 31)
        #expect(try await scene.errors == 1)
        let blamed = try await scene.fixture.value(
            """
            SELECT h.payload->>'number' || ' ' || (e.message LIKE '%23514%')
            FROM tenure.attempt_error e JOIN tenure.job_history h ON h.id = e.job_id
            """, as: String.self)
        #expect(blamed == "1007 true")
        #expect(scene.calls.sizes.sorted(by: >) == [32, 16, 16, 8, 8, 4, 4, 2, 2, 1, 1])
    }

    @Test func `one of 32 that takes a minute keeps nobody: 31 are committed within a second`()
        async throws
    {
        let scene = try await ChunkScene("slow")
        let ready = Mutex(ContinuousClock.now)
        let jobs = scene.jobs(within: .zero) { parcel, _ in
            if parcel.number == 1007 { try await Task.sleep(for: .seconds(60)) }
            ready.withLock { $0 = .now }
        }
        try await scene.fixture.withWorker(jobs, slots: ChunkScene.size) {
            try await scene.enqueue()
            try await scene.ended(31)
            let last = ready.withLock { $0 }
            #expect(ContinuousClock.now - last < .seconds(1) * patience)
            #expect(try await scene.effects().count == 31)
            #expect(try await scene.fixture.count("effect WHERE number = 1007") == 0)
            #expect(try await scene.errors == 0)
        }
    }

    @Test func `whoever waits for somebody's lock keeps nobody waiting`() async throws {
        let scene = try await ChunkScene("locked")
        let isLocked = Flag()
        let jobs = scene.jobs(within: .zero) { parcel, _ in
            if parcel.number <= 1003 { try await isLocked.wait() }
        }
        try await scene.fixture.withWorker(jobs, slots: ChunkScene.size) {
            try await scene.enqueue(3)
            try await scene.fixture.pool.transaction { transaction in
                for number in 1001...1003 {
                    try await transaction.query(
                        "SELECT * FROM tenure.enqueue('parcel', '{}', key => $1)",
                        ["parcel \(number)"])
                }
                isLocked.set()
                try await Task.sleep(for: .milliseconds(100))
                try await scene.fixture.client.enqueue(
                    try (1004...1010).map { number in
                        let parcel = Parcel(number: number)
                        return try NewJob(parcel, .superseding(parcel.key))
                    })
                try await scene.ended(7)
            }
        }
    }

    @Test func `a deadlock is tried again, and charged to nobody`() async throws {
        let scene = try await ChunkScene("deadlock")
        let jobs = scene.jobs(meanwhile: { transaction in
            try await transaction.query("DO $$BEGIN RAISE 'x' USING ERRCODE = '40P01'; END$$")
        })
        try await scene.fixture.withWorker(jobs, slots: ChunkScene.size) {
            try await scene.enqueue()
            try await scene.ended()
        }
        #expect(scene.calls.sizes == [32, 32])
        #expect(try await scene.effects() == (32, 1))
        #expect(try await scene.errors == 0)
    }

    @Test func `one that is cancelled while it waits leaves the others`() async throws {
        let scene = try await ChunkScene("cancelled")
        try await scene.fixture.withWorker(scene.jobs(within: .seconds(5)), slots: 40) {
            try await scene.enqueue(8)
            try await scene.fixture.eventually(
                "they run", "SELECT count(*) = 8 FROM tenure.job WHERE state = 'running'")
            let one = try await scene.fixture.value(
                "SELECT id::text FROM tenure.job WHERE payload->>'number' = '1007'",
                as: String.self)
            try await Operator(client: scene.fixture.client, as: "ada")
                .cancel(try #require(JobID(one)))
            try await scene.ended(1, as: "cancelled")
            try await scene.enqueue(32)
            // The other seven are superseded while they wait.
            try await scene.ended(7, as: "superseded")
            try await scene.ended(32)
        }
        #expect(try await scene.effects().count == 32)
        #expect(try await scene.errors == 0)
    }

    @Test func `one that is cancelled while its chunk is on its way has it go without him`()
        async throws
    {
        let scene = try await ChunkScene("withdrawn")
        let jobs = scene.jobs { _, _ in
        } meanwhile: { _ in
            try await scene.fixture.pool.query(
                """
                SELECT tenure.cancel_job(j.id, 'ada') FROM tenure.job j
                WHERE j.payload->>'number' = '1007'
                """)
            // Longer than a beat: the verdict ends this transaction.
            try await Task.sleep(for: .seconds(30))
        }
        let start = ContinuousClock.now
        try await scene.fixture.withWorker(jobs, slots: ChunkScene.size) {
            try await scene.enqueue()
            try await scene.ended(31)
            try await scene.ended(1, as: "cancelled")
        }
        #expect(ContinuousClock.now - start < .seconds(25))
        #expect(scene.calls.sizes == [32, 31])
        #expect(try await scene.effects().count == 31)
    }
}

/// Set once, and waited for by whoever asks.
private final class Flag: Sendable {
    private let state = Mutex(false)

    func set() { state.withLock { $0 = true } }

    func wait() async throws {
        while !state.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(2)) }
    }
}
