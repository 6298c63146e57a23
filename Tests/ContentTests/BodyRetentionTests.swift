import Tenure
import TenureFoundation
import TestSupport
import Testing

@testable import Content

/// Which bodies go: those that nothing refers to, whatever is being written meanwhile.
@Suite struct BodyRetentionTests {
    @Test func `only bodies that nothing refers to go, and no young one`() async throws {
        let fixture = try await ContentFixture("bodies")
        for name in ["version", "candidate", "file", "loose"] { try await keep(name, fixture) }
        try await fixture.pool.query(
            "INSERT INTO content.body (hash, bytes) VALUES (sha256('young'), 'young')")
        try await fixture.pool.simple(
            """
            INSERT INTO content.version (item, number, words, body, changed, fields)
            VALUES (gen_random_uuid(), 1, 0, sha256('version'), '{}', '{}');
            INSERT INTO content.candidate (item, fetch_id, words, hash, reason, fields)
            VALUES (gen_random_uuid(), gen_random_uuid(), 0, sha256('candidate'), 'short', '{}');
            INSERT INTO content.file (id, bytes, url, final_url, hash)
            VALUES (gen_random_uuid(), 4, 'http://h/', 'http://h/', sha256('file'))
            """)
        try await forget(fixture.pool)
        #expect(try await bodies(fixture) == ["candidate", "file", "version", "young"])
    }

    @Test func `a body that a fetch has taken up stays, though the fetch has not ended`()
        async throws
    {
        let fixture = try await ContentFixture("taken up")
        try await keep("page", fixture)
        try await fixture.pool.transaction { transaction in
            _ = try await transaction.execute(keeping("page"))
            try await forget(fixture.pool)
            _ = try await transaction.query(Self.version)
        }
        try await forget(fixture.pool)
        #expect(try await bodies(fixture) == ["page"])
    }

    @Test func `a fetch that meets a sweep writes the body that it took`() async throws {
        let fixture = try await ContentFixture("met")
        try await keep("page", fixture)
        let (swept, goOn) = (Signal(), Signal())
        async let sweep: Void = fixture.pool.transaction { transaction in
            for hour in 0..<24 {
                _ = try await transaction.execute(ForgetBodies(share: SweepShare(hour: hour)))
            }
            swept.notify()
            await goOn.wait()
        }
        await swept.wait()
        async let fetch: Void = fixture.pool.transaction { transaction in
            _ = try await transaction.execute(keeping("page"))
            _ = try await transaction.query(Self.version)
        }
        try await waiting(for: "transactionid", fixture)
        goOn.notify()
        _ = try await (sweep, fetch)
        #expect(try await bodies(fixture) == ["page"])
    }

    @Test func `what is committed while a sweep looks is seen by it`() async throws {
        let fixture = try await ContentFixture("seen late")
        try await keep("page", fixture)
        // The sweep stands still in the middle of its first look.
        try await fixture.pool.simple(
            """
            CREATE OR REPLACE FUNCTION content.now() RETURNS timestamptz LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM pg_catalog.pg_advisory_lock_shared(17);
                PERFORM pg_catalog.pg_advisory_unlock_shared(17);
                RETURN pg_catalog.clock_timestamp();
            END $$
            """)
        let (begun, goOn) = (Signal(), Signal())
        async let gate: Void = fixture.pool.transaction { transaction in
            _ = try await transaction.query("SELECT FROM pg_advisory_xact_lock(17)")
            begun.notify()
            await goOn.wait()
        }
        await begun.wait()
        async let sweep: Void = forget(fixture.pool)
        try await waiting(for: "advisory", fixture)
        try await fixture.pool.transaction { transaction in
            _ = try await transaction.execute(keeping("page"))
            _ = try await transaction.query(Self.version)
        }
        goOn.notify()
        _ = try await (gate, sweep)
        #expect(try await bodies(fixture) == ["page"])
    }

    @Test func `nobody forgets bodies by an old snapshot`() async throws {
        let fixture = try await ContentFixture("snapshot")
        let error = await #expect(throws: PostgresError.self) {
            try await fixture.pool.transaction(isolation: .repeatableRead) { transaction in
                _ = try await transaction.execute(ForgetBodies(share: SweepShare(hour: 0)))
            }
        }
        #expect(error?.sqlState == "25000")
    }

    private static let version = """
        INSERT INTO content.version (item, number, words, body, changed, fields, made_at)
        VALUES (gen_random_uuid(), 1, 0, sha256('page'), '{}', '{}', clock_timestamp())
        """

    private func keeping(_ name: String) -> KeepBodies {
        let body = Array(name.utf8)
        return KeepBodies.all([.init(hash: SHA256.digest(body), body: body)])[0]
    }

    /// Long ago.
    private func keep(_ name: String, _ fixture: ContentFixture) async throws {
        _ = try await fixture.pool.execute(keeping(name))
        try await fixture.pool.simple(
            "UPDATE content.body SET stored_at = clock_timestamp() - interval '1 day'")
    }

    private func forget(_ pool: PostgresPool) async throws {
        for hour in 0..<24 {
            var bite = ForgetBodies(share: SweepShare(hour: hour))
            while let last = try await pool.execute(bite)[0] { bite.after = last }
        }
    }

    private func bodies(_ fixture: ContentFixture) async throws -> [String] {
        try await fixture.pool.query(
            "SELECT convert_from(b.bytes, 'UTF8') FROM content.body b ORDER BY 1"
        ) { try $0.decode(0, as: String.self) }
    }

    private func waiting(for lock: String, _ fixture: ContentFixture) async throws {
        for _ in 0..<(1000 * patience) {
            let waits = try await fixture.pool.query(
                "SELECT FROM pg_locks l WHERE l.locktype = $1 AND NOT l.granted", [lock]
            ) { _ in true }
            if !waits.isEmpty { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("nobody waits for \(lock)")
    }
}
