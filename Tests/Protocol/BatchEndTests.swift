import Tenure
import TenurePostgres
import TenureSystem
import Testing

/// "All of a batch's jobs have ended", under thousands of interleavings that nobody has chosen:
/// workers end jobs and add follow-ups, outsiders come in, an operator cancels, and all of them
/// look at the same time whether the batch is over.
@Suite(.serialized) struct BatchEndTests {
    @Test func `A batch ends exactly once, and nothing comes after`() async throws {
        let faults = try await BatchRace().run(rounds: Self.rounds)
        #expect(faults == [])
    }

    /// A few seconds' worth, or as many as `TENURE_RACES` says.
    private static let rounds =
        getenv("TENURE_RACES").flatMap { Int(String(cString: $0)) } ?? 300

    /// Guards, each taken out: the race has to notice. What the second half of each look prevents
    /// takes a commit within microseconds, so the function is slowed down there.
    @Test(arguments: [
        ("the lock against outsiders", "enter_batches", "FOR KEY SHARE", ""),
        ("the lock of who ends it", "settle_batches", "FOR UPDATE SKIP LOCKED", ""),
        (
            "the second look", "settle_batches",
            "CONTINUE WHEN EXISTS (SELECT FROM tenure.job j WHERE j.batch_id = candidate);", ""
        ),
        ("the refusal of who comes late", "enter_batches", "r.ended_at IS NOT NULL OR", ""),
    ])
    func `Without a guard it doesn't`(
        _ name: String, _ function: String, _ old: String, _ new: String
    ) async throws {
        var race = BatchRace()
        race.change = (function, old, new)
        race.pause = "PERFORM pg_sleep(0.0005);"
        let faults = try await race.run(rounds: 600, untilFault: true)
        #expect(!faults.isEmpty, "\(name): survived")
    }
}

/// One race after the other, on connections that hurry as they like.
private struct BatchRace {
    var change: (function: String, old: String, new: String)?
    /// Between the first look of `settle_batches` and its lock.
    var pause: String?

    private static let workers = 4

    func run(rounds: Int, untilFault: Bool = false) async throws -> [String] {
        let database = try await ExampleDatabase()
        let main = try await database.connect()
        defer { main.close() }
        try await prepare(main)
        var connections: [PostgresConnection] = []
        for _ in 0..<Self.workers { connections.append(try await database.connect()) }
        defer { for connection in connections { connection.close() } }
        var faults: [String] = []
        for round in 1...rounds {
            try await Self.race(round, main, connections)
            faults += try await Self.faults(round, main)
            if untilFault && !faults.isEmpty { break }
        }
        return faults
    }

    private func prepare(_ connection: PostgresConnection) async throws {
        try await connection.simple(Self.setting)
        try await slow(connection, "settle_batches", "        SELECT * INTO mine", pause)
        guard let change else { return }
        try await replace(connection, change.function, change.old, change.new)
    }

    private func slow(
        _ connection: PostgresConnection, _ function: String, _ before: String, _ pause: String?
    ) async throws {
        guard let pause else { return }
        try await replace(connection, function, before, "\(pause)\n\(before)")
    }

    private func replace(
        _ connection: PostgresConnection, _ function: String, _ old: String, _ new: String
    ) async throws {
        let source = try await connection.query(
            "SELECT pg_get_functiondef(p.oid) FROM pg_proc p "
                + "WHERE p.pronamespace = 'tenure'::regnamespace AND p.proname = $1", [function]
        ) { try $0.decode(0, as: String.self) }[0]
        #expect(source.contains(old), "\(function) has no \(old)")
        try await connection.simple(source.replacing(old, with: new))
    }

    /// `played.work` claims and ends a job of the round, half of them with a follow-up; `enter`
    /// comes from outside. Each then looks whether the batch is over.
    private static let setting = """
        CREATE SCHEMA played;
        CREATE TABLE played.batch (round integer, batch uuid);
        CREATE TABLE played.refusal (round integer);
        CREATE FUNCTION played.work(batch uuid, session bigint, seed integer) RETURNS void
        LANGUAGE plpgsql AS $$
        DECLARE mine record;
        BEGIN
            FOR mine IN SELECT * FROM tenure.claim(session, 'race', '{k}', 2) LOOP
                PERFORM tenure.finish(mine.id, mine.fence, follow_ups => CASE
                    WHEN mine.payload ->> 'left' = '0' OR seed % 2 = 0 THEN NULL
                    ELSE jsonb_build_array(jsonb_build_object(
                        'kind', 'k', 'queue', 'race', 'batch_id', batch,
                        'payload', jsonb_build_object(
                            'left', (mine.payload ->> 'left')::integer - 1))) END);
            END LOOP;
        EXCEPTION WHEN SQLSTATE 'TN001' THEN NULL;
        END $$;
        CREATE FUNCTION played.enter(batch uuid) RETURNS void
        LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM tenure.enqueue_jobs(jsonb_build_array(jsonb_build_object(
                'kind', 'k', 'queue', 'race', 'batch_id', batch, 'payload', '{"left": 0}'::jsonb)));
            PERFORM pg_sleep(random() * 0.001);
        EXCEPTION WHEN SQLSTATE 'TN004' THEN NULL;
        END $$;
        """

    private static func race(
        _ round: Int, _ main: PostgresConnection, _ connections: [PostgresConnection]
    ) async throws {
        let last = #"[{"kind": "last", "queue": "last", "payload": {"round": \#(round)}}]"#
        let (batch, session) = try await main.query(
            """
            WITH new AS (
                INSERT INTO tenure.batch (id, is_whole, follow_up)
                VALUES (gen_random_uuid(), true, '\(last)') RETURNING id
            ), noted AS (INSERT INTO played.batch SELECT \(round), id FROM new)
            SELECT n.id::text, tenure.open_session('worker', 'w', '1', '30 s', '{}', '{}')
            FROM new n
            """
        ) { (try $0.decode(0, as: String.self), try $0.decode(1, as: Int64.self)) }[0]
        try await main.simple(
            """
            SELECT tenure.enqueue_jobs(jsonb_agg(jsonb_build_object(
                'kind', 'k', 'queue', 'race', 'batch_id', '\(batch)',
                'payload', '{"left": 2}'::jsonb))) FROM generate_series(1, 3)
            """)
        let settle = "SELECT tenure.settle_batches('{\(batch)}')"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, connection) in connections.enumerated() {
                group.addTask {
                    for turn in 0..<6 {
                        let step =
                            index == 3 && (round + turn) % 3 == 0
                            ? "played.enter('\(batch)')"
                            : "played.work('\(batch)', \(session), \(round + turn + index))"
                        try await connection.simple("SELECT \(step)")
                        if index == 2 && round % 7 == 0 && turn == 2 {
                            try await connection.simple(
                                "SELECT tenure.cancel_batch('\(batch)', 'x')")
                        }
                        try await connection.simple(settle)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await finish(batch, session, main)
        try await main.simple(settle)
    }

    /// What is left, by one.
    private static func finish(
        _ batch: String, _ session: Int64, _ main: PostgresConnection
    ) async throws {
        for _ in 0..<4 {
            try await main.simple(
                """
                SELECT tenure.retire_batch('\(batch)', 100);
                SELECT played.work('\(batch)', \(session), 0);
                SELECT tenure.end_runs(coalesce(jsonb_agg(jsonb_build_object('id', j.id,
                    'fence', j.fence, 'wanted', 'handed_back')), '[]'), true)
                FROM tenure.job j WHERE j.state = 'running';
                SELECT tenure.retire_batch('\(batch)', 100);
                """)
        }
    }

    private static func faults(
        _ round: Int, _ connection: PostgresConnection
    ) async throws -> [String] {
        try await connection.query(
            """
            SELECT f.what FROM played.batch p JOIN tenure.batch r ON r.id = p.batch
            CROSS JOIN LATERAL (
                SELECT format('round %s: ended %s times', p.round, count(*)) AS what
                FROM tenure.job j
                WHERE j.kind = 'last' AND j.payload = jsonb_build_object('round', p.round)
                HAVING count(*) <> 1
                UNION ALL
                SELECT format('round %s: it has not ended', p.round) WHERE r.ended_at IS NULL
                UNION ALL
                SELECT format('round %s: a job came or ended after its end', p.round)
                WHERE EXISTS (SELECT FROM tenure.job j WHERE j.batch_id = p.batch)
                   OR EXISTS (SELECT FROM tenure.job_history h
                              WHERE h.batch_id = p.batch AND h.finished_at > r.ended_at)) AS f
            WHERE p.round = \(round)
            """
        ) { try $0.decode(0, as: String.self) }
    }
}
