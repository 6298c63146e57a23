import Synchronization
import Tenure
import TenureFoundation
import TenureWorker
import Testing

/// Short, then long: what makes a worker claim ahead, and then keep it waiting.
struct Paced: Job {
    static let kind: JobKind = "paced"
    static let options = JobOptions<Self>(retry: .constant(maxAttempts: 5, .milliseconds(50)))
    let milliseconds: Int
}

/// An attempt is a handler that began: what claiming ahead costs, and what is never claimed ahead.
@Suite(.timeLimit(.minutes(2))) struct ClaimAheadTests {
    private static let states = """
        SELECT coalesce(string_agg(
            concat_ws(' ', j.state, j.attempt, j.runs, j.refunds), ', '
            ORDER BY j.attempt DESC, j.id), '')
        FROM tenure.job j
        """

    private static func enqueue(_ fixture: WorkerFixture, attempts: Int...) async throws {
        try await fixture.client.enqueue(
            try attempts.map {
                try NewJob(kind: "k", payload: "{}", nil, maxAttempts: $0)
            })
    }

    private static func open(_ fixture: WorkerFixture, saysBegun: Bool) async throws -> Int64 {
        try await fixture.value(
            """
            SELECT tenure.open_session(
                'worker', 'w', '1', '30 s', '{default}', '{k}', NULL, '{}', \(saysBegun))
            """)
    }

    private static func claim(
        _ fixture: WorkerFixture, _ session: Int64, _ wanted: Int, ahead: Int
    ) async throws -> Int64 {
        try await fixture.count(
            "tenure.claim(\(session), 'default', '{k}', \(wanted), NULL, NULL, \(ahead))")
    }

    private static func reclaim(_ fixture: WorkerFixture, _ session: Int64) async throws {
        let watcher = try await open(fixture, saysBegun: false)
        _ = try await fixture.value(
            "SELECT tenure.declare_dead(\(session), 0, \(watcher))", as: Bool.self)
        _ = try await fixture.count("tenure.reclaim_runs(100)")
    }

    @Test func `the line of what is claimed ahead ends before a job on its last attempt`()
        async throws
    {
        let fixture = try await WorkerFixture("ahead")
        try await Self.enqueue(fixture, attempts: 3, 3, 1, 3, 1)
        let session = try await Self.open(fixture, saysBegun: true)
        #expect(try await Self.claim(fixture, session, 5, ahead: 5) == 2)
        #expect(try await Self.claim(fixture, session, 5, ahead: 5) == 0)
        #expect(try await Self.claim(fixture, session, 3, ahead: 2) == 2)
        #expect(try await Self.claim(fixture, session, 1, ahead: 0) == 1)
    }

    /// Its answer may have been lost.
    @Test func `a note that is sent twice says the same`() async throws {
        let fixture = try await WorkerFixture("twice")
        let session = try await Self.open(fixture, saysBegun: true)
        for _ in 0..<2 {
            let isAlive = try await fixture.value(
                "SELECT tenure.note_begun(\(session), 'default', 1, 1, '{1}', '{5}')",
                as: Bool.self)
            #expect(isAlive)
        }
        #expect(
            try await fixture.value(
                "SELECT tenure.has_begun(\(session), 'default', 5)", as: Bool.self))
    }

    @Test func `jobs of lanes are claimed for free slots only`() async throws {
        let fixture = try await WorkerFixture("lanes")
        try await fixture.pool.simple(
            """
            SELECT tenure.enqueue_jobs(jsonb_agg(jsonb_build_object(
                'kind', 'k', 'lane', 'a', 'lane_max_running', 9))) FROM generate_series(1, 9)
            """)
        let session = try await Self.open(fixture, saysBegun: true)
        #expect(try await Self.claim(fixture, session, 8, ahead: 8) == 0)
        #expect(try await Self.claim(fixture, session, 8, ahead: 6) == 2)
    }

    @Test func `a death charges what the newest note names, and gives the rest back`()
        async throws
    {
        let fixture = try await WorkerFixture("death")
        try await Self.enqueue(fixture, attempts: 3, 3, 1)
        let session = try await Self.open(fixture, saysBegun: true)
        #expect(try await Self.claim(fixture, session, 3, ahead: 0) == 3)
        let first: Int64 = try await fixture.value("SELECT min(fence) FROM tenure.job")
        for (number, last) in [(1, first + 2), (2, first)] {
            let note = """
                SELECT tenure.note_begun(
                    \(session), 'default', \(number), 0, '{\(first)}', '{\(last)}')
                """
            #expect(try await fixture.value(note, as: Bool.self))
        }
        #expect(try await fixture.count("tenure.session_begun") == 1, "the older one is gone")
        try await Self.reclaim(fixture, session)
        #expect(
            try await fixture.value(Self.states, as: String.self)
                == "available 1 1 0, available 0 1 0, available 0 1 0")
        #expect(try await fixture.count("tenure.attempt_error") == 1)
        #expect(try await fixture.count("tenure.kind_death") == 1)
        #expect(try await fixture.count("tenure.session_begun") == 0)
    }

    @Test func `a death of what had only claimed is no death of its kind`() async throws {
        let fixture = try await WorkerFixture("no death")
        try await Self.enqueue(fixture, attempts: 1, 3)
        let session = try await Self.open(fixture, saysBegun: true)
        #expect(try await Self.claim(fixture, session, 2, ahead: 0) == 2)
        try await Self.reclaim(fixture, session)
        #expect(
            try await fixture.value(Self.states, as: String.self)
                == "available 0 1 0, available 0 1 0")
        #expect(try await fixture.count("tenure.kind_death") == 0)
    }

    @Test func `who claims without saying what begins has begun it`() async throws {
        let fixture = try await WorkerFixture("foreign")
        try await Self.enqueue(fixture, attempts: 1, 3)
        let session = try await Self.open(fixture, saysBegun: false)
        #expect(try await Self.claim(fixture, session, 2, ahead: 0) == 2)
        try await Self.reclaim(fixture, session)
        #expect(try await fixture.value(Self.states, as: String.self) == "available 1 1 0")
        #expect(try await fixture.count("tenure.job_history WHERE outcome = 'discarded'") == 1)
    }

    @Test func `no note, however odd, stands in the way of a reclaim`() async throws {
        let fixture = try await WorkerFixture("odd")
        try await Self.enqueue(fixture, attempts: 3)
        let session = try await Self.open(fixture, saysBegun: true)
        #expect(try await Self.claim(fixture, session, 1, ahead: 0) == 1)
        let notes = [
            "9223372036854775807, 0, '{-9223372036854775808}', '{9223372036854775806}'",
            "1, 0, '{}', '{}'", "2, 0, '{1,2}', '{5}'", "3, 0, '{5}', '{1}'",
            "4, 0, NULL, NULL", "5, NULL, '{NULL}', '{NULL}'",
        ]
        for note in notes {
            do {
                _ = try await fixture.count("tenure.note_begun(\(session), 'default', \(note))")
            } catch let error as PostgresError {
                #expect(error.code == .server, "\(error)")
            }
        }
        try await Self.reclaim(fixture, session)
        #expect(try await fixture.count("tenure.job WHERE state = 'available'") == 1)
        #expect(try await fixture.count("tenure.session WHERE reclaimed_at IS NULL") == 1)
    }

    @Test func `a note leaves the commit of others as durable as it was`() async throws {
        let fixture = try await WorkerFixture("durable")
        let session = try await Self.open(fixture, saysBegun: true)
        let setting = try await fixture.pool.transaction { transaction in
            _ = try await transaction.query("CREATE TABLE mine (id int)")
            _ = try await transaction.query(
                "SELECT tenure.note_begun(\(session), 'default', 1, 0, '{1}', '{1}')")
            return try await transaction.query("SHOW synchronous_commit") {
                try $0.decode(0, as: String.self)
            }[0]
        }
        #expect(setting == "on")
    }

    @Test func `what a worker gives back without having begun it costs nothing`() async throws {
        let fixture = try await WorkerFixture("given back")
        let started = Mutex<Set<JobID>>([])
        var jobs = JobRegistry()
        jobs.handle(Paced.self) { job, context in
            if job.milliseconds > 0 { started.withLock { _ = $0.insert(context.jobID) } }
            try await Task.sleep(for: .milliseconds(job.milliseconds))
            return .completed
        }
        try await fixture.client.enqueue((0..<2000).map { _ in try NewJob(Paced(milliseconds: 0)) })
        try await fixture.client.enqueue(
            (0..<200).map { _ in try NewJob(Paced(milliseconds: 60_000)) })
        let begun = """
            tenure.job_seen j WHERE j.state = 'running'
                AND tenure.has_begun(j.session_id, j.queue, j.fence)
            """
        try await fixture.withWorker(jobs, slots: 4, lease: .seconds(30)) {
            while started.withLock({ $0.count }) < 4 { try await Task.sleep(for: .milliseconds(5)) }
            try await fixture.eventually(
                "no more are said to have begun", "SELECT (SELECT count(*) FROM \(begun)) = 4")
            try await fixture.eventually(
                "more are claimed", "SELECT count(*) > 4 FROM tenure.run_seen")
        }
        let rest = "tenure.job WHERE state = 'available' AND attempt = 0"
        #expect(try await fixture.count(rest) == 200)
        #expect(try await fixture.count("\(rest) AND refunds > 0") == 4)
        #expect(try await fixture.count("tenure.attempt_error") == 0)
    }

    @Test func `jobs with one attempt are claimed for free slots only, and all of them`()
        async throws
    {
        let fixture = try await WorkerFixture("one attempt")
        let started = Mutex<Set<JobID>>([])
        let most = Mutex(0)
        var jobs = JobRegistry()
        jobs.handle(Paced.self) { _, context in
            started.withLock { _ = $0.insert(context.jobID) }
            let running = try await fixture.pool.query(
                "SELECT id FROM tenure.run_seen"
            ) { JobID(try $0.decode(0, as: UUID.self)) }
            let waiting = started.withLock { begun in running.count { !begun.contains($0) } }
            most.withLock { $0 = max($0, waiting) }
            return .completed
        }
        try await fixture.client.enqueue(
            (0..<300).map { _ in
                try NewJob(kind: "paced", payload: #"{"milliseconds": 0}"#, nil, maxAttempts: 1)
            })
        try await fixture.withWorker(jobs, slots: 4) {
            try await fixture.eventually("all are done", "SELECT count(*) = 0 FROM tenure.job")
        }
        #expect(try await fixture.count("tenure.job_history WHERE outcome = 'completed'") == 300)
        // Each has a slot that waits for it: those that are done leave it before their rows.
        #expect(most.withLock { $0 } <= 4)
    }
}
