import EmbeddedPostgres
import FaultSupport
import Foundation
import Tenure
import TestSupport
import Testing

@testable import fault_rig

/// Rates under kills and clock steps, judged by the database's clock as it was stepped: no window
/// of any length has more starts than it may. With `TENURE_RATE_SECONDS=60` so long, with sixteen
/// workers, and between steps hardly fewer: before a release, `bin/test rates`.
@Suite(.serialized) struct RateTests {
    private static let asked =
        ProcessInfo.processInfo.environment["TENURE_RATE_SECONDS"].flatMap(Int.init)
    private static let seconds = asked ?? 12
    private static let workers = asked == nil ? 4 : 16
    /// Far apart, so that a start's time says during which it was.
    private static let offsets = [0, 3600, -1800, 7200]
    private static let rate = 100
    private static let burst = 20
    private static let full = Rate(rate, per: .seconds(1), burst: burst)
    private static let few = Rate(2, per: .seconds(1), burst: 3)

    /// A queue of 500 lanes, which has a rate and whose lanes have another; and two lanes with that
    /// rate among 498 others, in a queue without.
    enum Setting: CaseIterable { case queue, lanes }

    @Test(arguments: Setting.allCases)
    func `no window of any length has more starts than it may`(setting: Setting) async throws {
        let folder = try Self.makeFolder()
        defer { Self.remove(folder) }
        let shim = try await ClockShim.compile(in: folder)
        let clock = try SteppedClock("\(folder)/clock", shim)
        var configuration = EmbeddedPostgresConfiguration(
            folder: "\(folder)/postgres", isTemporary: true)
        configuration.environment = clock.environment
        let server = try await EmbeddedPostgres.start(configuration)
        let fixture = try await FaultFixture(try await TestPostgres.of(conninfo: server.conninfo))
        try await fixture.pool.simple(Self.witness)
        let (begin, kills) = try await run(setting, fixture, clock)
        let starts = try await fixture.pool.execute(ReadStarts())
        let found = try await fixture.pool.query(
            "SELECT extract(epoch FROM at)::float8 FROM witness.found_step"
        ) { try $0.decode(0, as: Double.self) }
        let log = StartLog(starts: starts, found: found, begin: Double(begin))
        try judge(setting, log, kills)
        try await server.stop()
    }

    /// Each start of a run as the claim wrote it, those too that were killed.
    private static let witness = """
        CREATE SCHEMA witness;
        CREATE TABLE witness.start_log (number bigserial, lane text, at timestamptz);
        CREATE FUNCTION witness.note_start() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO witness.start_log (lane, at) VALUES (NEW.lane, NEW.claimed_at);
            RETURN NULL;
        END $$;
        CREATE TRIGGER note_start AFTER UPDATE ON tenure.job FOR EACH ROW
        WHEN (NEW.fence IS DISTINCT FROM OLD.fence AND NEW.state = 'running')
        EXECUTE FUNCTION witness.note_start();
        CREATE TABLE witness.found_step (at timestamptz);
        CREATE FUNCTION witness.note_step() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO witness.found_step VALUES (NEW.found_at);
            RETURN NULL;
        END $$;
        CREATE TRIGGER note_step AFTER UPDATE ON tenure.clock FOR EACH ROW
        WHEN (NEW.steps > OLD.steps) EXECUTE FUNCTION witness.note_step();
        """

    private func setUp(_ setting: Setting, _ fixture: FaultFixture) async throws {
        switch setting {
        case .queue:
            try await Operator(client: fixture.client, as: "someone")
                .setRate(of: "default", to: Self.full)
        case .lanes: try await enqueue(3, in: 2..<500, at: Self.few, fixture)
        }
    }

    /// So much that it is not done with when the test is.
    private func enqueueAll(_ setting: Setting, _ fixture: FaultFixture) async throws {
        let all = Self.rate * Self.seconds * 3 / 2
        switch setting {
        case .queue: try await enqueue(all / 250, in: 0..<500, at: Self.few, fixture)
        case .lanes: try await enqueue(all, in: 0..<2, at: Self.full, fixture)
        }
    }

    private func enqueue(
        _ count: Int, in lanes: Range<Int>, at rate: Rate, _ fixture: FaultFixture
    ) async throws {
        let payload = #"{"plan": {"milliseconds": [0], "behaviour": "plain"}}"#
        let jobs = try lanes.flatMap { number in
            let lane = Lane("\(number)", maxRunning: 50, rate: rate)
            return try (0..<count).map { _ in
                try NewJob(
                    kind: "work", payload: payload, maxAttempts: 1000,
                    options: EnqueueOptions(lane: lane))
            }
        }
        _ = try await fixture.client.enqueue(jobs)
    }

    /// Kills a worker each second, and steps the clock from one offset to the next. It begins when
    /// all workers are there and have nothing to do: what a lane may start is judged, and not how
    /// long a machine takes to start sixteen processes.
    ///
    /// - Returns: when that was, by the database's clock, and how many were killed.
    private func run(
        _ setting: Setting, _ fixture: FaultFixture, _ clock: SteppedClock
    ) async throws -> (begin: Int64, kills: Int) {
        func start() throws -> WorkerProcess {
            try WorkerProcess(conninfo: fixture.conninfo, lease: 2, slots: 4)
        }
        try await setUp(setting, fixture)
        var live = try (0..<Self.workers).map { _ in try start() }
        defer { for worker in live { worker.send(SIGKILL) } }
        try await fixture.eventually(
            "all workers are there, and idle", within: .seconds(60),
            """
            SELECT (SELECT count(*) FROM tenure.session) = \(Self.workers)
                   AND NOT EXISTS (SELECT FROM tenure.job)
            """)
        let first = try await fixture.number("SELECT extract(epoch FROM clock_timestamp())::int8")
        try await enqueueAll(setting, fixture)
        let begin = ContinuousClock.now
        var kills = 0
        for second in 1...Self.seconds {
            try await Task.sleep(until: begin + .seconds(second))
            try clock.step(to: Self.offsets[second * Self.offsets.count / (Self.seconds + 1)])
            live.removeFirst().send(SIGKILL)
            live.append(try start())
            kills += 1
        }
        for worker in live { worker.send(SIGTERM) }
        for worker in live { _ = try await worker.end() }
        live = []
        return (first, kills)
    }

    private func judge(_ setting: Setting, _ log: StartLog, _ kills: Int) throws {
        var most = -Double.infinity
        var least = Double.infinity
        let busy = setting == .queue ? [nil] : ["0", "1"]
        for lane in busy {
            for span in log.spans(of: lane) {
                most = max(most, span.excess(rate: Self.rate, burst: Self.burst))
                if span.length >= 2 { least = min(least, span.share(of: Self.rate)) }
                if Self.asked != nil { print("\(lane ?? "all"), \(span.described(Self.rate))") }
            }
        }
        #expect(log.starts.count > Self.rate)
        #expect(most <= 0, "\(most) starts more than a window may have")
        for lane in log.lanes where !busy.contains(lane) {
            for span in log.spans(of: lane) {
                #expect(span.excess(rate: 2, burst: 3) <= 0, "lane \(lane)")
            }
        }
        // How many is the machine's matter, too, where other tests run.
        if Self.asked != nil { #expect(least >= 0.99, "\(least) of what it may between steps") }
        print(
            "rates, \(setting): \(log.starts.count) starts, \(kills) kills, "
                + "\(Self.offsets.count - 1) steps; the most in a window \(most) of 0 too many, "
                + "the least between steps \(least) of what it may")
    }

    private static func makeFolder() throws -> String {
        let folder = "\(FileManager.default.temporaryDirectory.path())/tenure-rates-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        return folder
    }

    private static func remove(_ folder: String) {
        // Reason for `try?`: what a test leaves in the temporary folder harms nobody.
        try? FileManager.default.removeItem(atPath: folder)
    }
}

private struct ReadStarts: PostgresStatement {
    static let sql = """
        SELECT lane, extract(epoch FROM at)::float8 FROM witness.start_log ORDER BY number
        """

    static func decode(_ row: borrowing PostgresRow) throws -> StartLog.Start {
        StartLog.Start(lane: try row.decode(0), at: try row.decode(1))
    }
}
