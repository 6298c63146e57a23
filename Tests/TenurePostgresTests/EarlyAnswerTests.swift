import TenurePostgres
import TestSupport
import Testing

/// What a statement answers is here before its commit, for who wants to go on meanwhile.
@Suite struct EarlyAnswerTests {
    /// A table whose commits take half a second, or fail.
    private static let table = """
        CREATE TABLE IF NOT EXISTS slow_commit (fails boolean NOT NULL);
        CREATE OR REPLACE FUNCTION commit_slowly() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_sleep(0.5);
            IF NEW.fails THEN RAISE EXCEPTION 'not this one'; END IF;
            RETURN NULL;
        END $$;
        DROP TRIGGER IF EXISTS slow ON slow_commit;
        CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON slow_commit
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION commit_slowly();
        """

    @Test func `An answer comes before the commit, and a failure after it`() async throws {
        let pool = try await TestDatabase.pool(size: 2)
        try await pool.simple(Self.table)
        for _ in 0..<2 {  // prepared, and then known
            let (news, failure) = await Self.insert(fails: false, on: pool)
            #expect(failure == nil)
            #expect(news.count == 1)
            #expect(news.allSatisfy { $0.rows == 3 && $0.before > .milliseconds(250) })
        }
        let (news, failure) = await Self.insert(fails: true, on: pool)
        #expect(news.count == 1)
        #expect(failure?.message == "not this one")
        // The connections are as good as before.
        #expect(try await pool.execute(SelectNumber(number: 1)) == [2])
        await pool.close()
    }

    @Test func `A statement that fails answers nothing before`() async throws {
        let pool = try await TestDatabase.pool(size: 1)
        let news = Shared(0)
        await #expect(throws: PostgresError.self) {
            _ = try await pool.execute(Divide(), isEarly: true) { _ in news.change { $0 += 1 } }
        }
        #expect(news.value == 0)
        #expect(try await pool.execute(SelectNumber(number: 1)) == [2])
        await pool.close()
    }

    private struct News: Sendable {
        let rows: Int
        let before: Duration
    }

    private static func insert(
        fails: Bool, on pool: PostgresPool
    ) async -> (news: [News], failure: PostgresError?) {
        let told = Shared<[(Int, ContinuousClock.Instant)]>([])
        var failure: PostgresError?
        do {
            let rows = try await pool.execute(
                InsertSlowly(fails: fails), isEarly: true
            ) { count in
                told.change { $0.append((count, .now)) }
            }
            #expect(rows == [fails, fails, fails])
        } catch {
            failure = error as? PostgresError
        }
        let end = ContinuousClock.now
        return (told.value.map { News(rows: $0.0, before: end - $0.1) }, failure)
    }
}

private struct InsertSlowly: PostgresStatement {
    static let sql = """
        INSERT INTO slow_commit (fails)
        SELECT $1 FROM generate_series(1, 3) RETURNING fails
        """
    let fails: Bool

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(fails) }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool { try row.decode(0) }
}

private struct Divide: PostgresStatement {
    static let sql = "SELECT 1 / (random() * 0)::integer"

    func bind(_ parameters: inout PostgresParameters) throws {}

    static func decode(_ row: borrowing PostgresRow) throws -> Int32 { try row.decode(0) }
}
