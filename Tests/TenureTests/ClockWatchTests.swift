import Tenure
import TenurePostgres
import TestSupport
import Testing

/// Instants that a test makes.
struct Moment: InstantProtocol {
    var time: Duration
    func advanced(by duration: Duration) -> Moment { Moment(time: time + duration) }
    func duration(to other: Moment) -> Duration { other.time - time }
    static func < (first: Moment, second: Moment) -> Bool { first.time < second.time }
}

@Suite struct ClockWatchTests {
    private typealias Watch = ClockWatch<Moment>

    /// A reading sent at a second, whose reply took 100 ms, of a clock that shows `clock` seconds.
    private static func reading(_ sent: Double, clock: Double, steps: Int64 = 0) -> Watch.Reading {
        Watch.Reading(
            sent: Moment(time: .seconds(sent)), arrived: Moment(time: .seconds(sent + 0.1)),
            microseconds: Int64(clock * 1e6), steps: steps)
    }

    @Test func `a clock that runs as ours does shows no step`() {
        var watch = Watch()
        for second in 0..<100 {
            // One percent slow, and read anywhere between request and reply.
            let clock = 1000 + Double(second) * 5 * 0.99 + (second.isMultiple(of: 2) ? 0.1 : 0)
            #expect(watch.see(Self.reading(Double(second) * 5, clock: clock)) == nil)
        }
    }

    @Test func `a clock set back by an hour shows it, until the step is followed`() throws {
        var watch = Watch()
        #expect(watch.see(Self.reading(0, clock: 10_000)) == nil)
        let found = watch.see(Self.reading(5, clock: 10_005 - 3600))
        let step = try #require(found)
        #expect(step.seenSteps == 0)
        #expect(!step.isFollowed)
        #expect(step.back <= .seconds(3600))
        #expect(step.back > .seconds(3599.8))
        // The call failed: it is found again, as large as before.
        let again = watch.see(Self.reading(10, clock: 10_010 - 3600))
        #expect(again?.back ?? .zero > .seconds(3599.8))
        watch.followed()
        #expect(watch.see(Self.reading(15, clock: 10_015 - 3600, steps: 1)) == nil)
        #expect(watch.see(Self.reading(20, clock: 10_020 - 3600, steps: 1)) == nil)
    }

    @Test func `a step that another session has followed is told of once, as such`() {
        var watch = Watch()
        #expect(watch.see(Self.reading(0, clock: 10_000)) == nil)
        let step = watch.see(Self.reading(5, clock: 6_405, steps: 1))
        #expect(step?.isFollowed == true)
        #expect(step?.back ?? .zero > .seconds(3599.8))
        #expect(watch.see(Self.reading(10, clock: 6_410, steps: 1)) == nil)
    }

    @Test func `a clock set forward shows nothing, and its way back is a step`() {
        var watch = Watch()
        #expect(watch.see(Self.reading(0, clock: 10_000)) == nil)
        #expect(watch.see(Self.reading(5, clock: 13_605)) == nil)
        let step = watch.see(Self.reading(10, clock: 10_010))
        #expect(step?.back ?? .zero > .seconds(3599.8))
    }

    @Test func `pauses and due times go back with the clock, dates stay, and once is enough`()
        async throws
    {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo))
        let jobs = """
            [{"kind": "k", "id": "00000000-0000-7000-8000-000000000001"},
             {"kind": "k", "id": "00000000-0000-7000-8000-000000000002", "after": "10 minutes"},
             {"kind": "k", "id": "00000000-0000-7000-8000-000000000003", "run_at": "%"}]
            """
        try await pool.query(
            """
            SELECT tenure.enqueue_jobs(replace($1, '%', (clock_timestamp() + '2 h')::text)::jsonb)
            """, [jobs])
        // As if the clock had been at an hour from now when they were enqueued.
        try await pool.query(
            "UPDATE tenure.job SET run_at = run_at + '1 h' WHERE NOT calendar")
        let due = """
            SELECT array_agg(round(extract(epoch FROM run_at - clock_timestamp()) / 60)::int8
                             ORDER BY id) FROM tenure.job
            """
        let decode: @Sendable (borrowing PostgresRow) throws -> [Int64] = { try $0.decode(0) }
        #expect(try await pool.query(due, decode: decode) == [[60, 70, 120]])
        #expect(try await Self.follow(pool, steps: 0))
        #expect(try await pool.query(due, decode: decode) == [[0, 10, 120]])
        #expect(try await !Self.follow(pool, steps: 0))
        #expect(try await pool.query(due, decode: decode) == [[0, 10, 120]])
        let rows = try await pool.query(
            """
            SELECT b.tag, b.number, b.detail
            FROM tenure.open_session('worker', 'w', '0', '3 s', '{}', '{}') AS s (id),
                 LATERAL tenure.beat(s.id, '{}', '{}', 9223372036854775807, NULL) AS b
            WHERE b.tag = 'clock'
            """
        ) { row in (try row.decode(0, as: String.self), try row.decode(1, as: Int64.self)) }
        #expect(rows.map(\.1) == [1])
        await pool.close()
    }

    @Test func `a lane and a schedule wait for their interval, and for no time beyond it`()
        async throws
    {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo))
        try await pool.simple(
            """
            SELECT tenure.open_session('worker', 'w', '0', '1 h', '{default}', '{k}');
            SELECT tenure.enqueue_jobs('[{"kind": "k", "lane": "slow"}]');
            UPDATE tenure.lane SET min_interval = '4 min';
            UPDATE tenure.lane_holders SET next_at = clock_timestamp() + '2 min';
            INSERT INTO tenure.schedule (name, every, next_at, job)
            VALUES ('tick', '4 min', clock_timestamp() + '2 min', '{"kind": "k"}');
            """)
        let claimed = "SELECT count(*) FROM tenure.claim(1, 'default', '{k}', 10)"
        let fired = "SELECT count(*) FROM tenure.fire_schedules(10)"
        let count: @Sendable (borrowing PostgresRow) throws -> Int64 = { try $0.decode(0) }
        #expect(try await pool.query(claimed, decode: count) == [0])
        #expect(try await pool.query(fired, decode: count) == [0])
        // Written when the clock was an hour ahead.
        try await pool.simple(
            """
            UPDATE tenure.lane_holders
            SET next_at = clock_timestamp() + '1 h', turn_at = clock_timestamp();
            UPDATE tenure.schedule SET next_at = clock_timestamp() + '1 h';
            """)
        #expect(try await pool.query(claimed, decode: count) == [1])
        #expect(try await pool.query(fired, decode: count) == [1])
        #expect(try await pool.query(fired, decode: count) == [0])
        await pool.close()
    }

    /// A lane remembers how far its claims have got, by the times of its jobs: those go back.
    @Test func `what is in a lane is claimed from a position, too, after the clock went back`()
        async throws
    {
        let conninfo = try await TestPostgres.shared().makeMigratedDatabase()
        let pool = PostgresPool(configuration: try PostgresConfiguration(conninfo))
        try await pool.simple(
            """
            SELECT tenure.open_session('worker', 'w', '0', '1 h', '{default}', '{k}');
            SELECT tenure.enqueue_jobs('[{"kind": "k", "lane": "l", "lane_max_running": 5},
                                         {"kind": "k", "lane": "l", "lane_max_running": 5}]');
            """)
        let claimed = """
            SELECT count(*) FROM tenure.claim(
                1, 'default', '{k}', 1, array_fill('-infinity'::timestamptz, ARRAY[11]),
                array_fill('00000000-0000-0000-0000-000000000000'::uuid, ARRAY[10]))
            """
        let count: @Sendable (borrowing PostgresRow) throws -> Int64 = { try $0.decode(0) }
        #expect(try await pool.query(claimed, decode: count) == [1])
        // As if the clock had been at an hour from now until here.
        try await pool.simple(
            """
            UPDATE tenure.job SET run_at = run_at + '1 h', created_at = created_at + '1 h';
            UPDATE tenure.lane_holders
            SET past_run_at = past_run_at + '1 h', turn_at = turn_at + '1 h';
            """)
        #expect(try await pool.query(claimed, decode: count) == [0])
        #expect(try await Self.follow(pool, steps: 0))
        #expect(try await pool.query(claimed, decode: count) == [1])
        await pool.close()
    }

    private static func follow(_ pool: PostgresPool, steps: Int64) async throws -> Bool {
        try await pool.query(
            "SELECT tenure.follow_clock($1, '1 h', 1) IS NOT NULL", [steps]
        ) { try $0.decode(0, as: Bool.self) }[0]
    }
}
