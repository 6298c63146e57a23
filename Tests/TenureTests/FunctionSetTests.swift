import Foundation
import Tenure
import TestSupport
import Testing

/// SQL functions from release to release: docs/decisions/repeatable-functions.md.
@Suite struct FunctionSetTests {
    private let pool: PostgresPool

    init() async throws {
        pool = PostgresPool(
            configuration: try PostgresConfiguration(
                try await TestPostgres.shared().makeMigratedDatabase()),
            size: 4, acquireDeadline: .seconds(60))
    }

    /// This release with a function more, whose answer is the release's own.
    private static func release(_ answer: Int, migrations: Int = 0) -> MigrationSet {
        var set = MigrationSet.tenure
        let last = set.migrations.last?.name ?? ""
        for number in 0..<migrations {
            set.migrations.append(
                Migration(
                    name: "\(9000 + number)_later.sql",
                    sql: "-- Comes with functions.\n-- Serves from: \(last)\n"))
        }
        set.functions.append(
            FunctionFile(
                name: "later/answer.sql",
                sql: """
                    -- Says whose it is.
                    CREATE OR REPLACE FUNCTION tenure.answer() RETURNS integer
                    LANGUAGE sql AS 'SELECT \(answer)';
                    """))
        return set
    }

    private func up(_ set: MigrationSet) async throws -> [String] {
        try await Migrator(pool: pool, set).up()
    }

    private func state(_ set: MigrationSet) async throws -> MigrationStatus.State? {
        try await Migrator(pool: pool, set).status().last.map {
            #expect($0.name == "functions")
            return $0.state
        }
    }

    private func answer() async throws -> Int32 {
        try await pool.query("SELECT tenure.answer()") { try $0.decode(0, as: Int32.self) }[0]
    }

    private func texts(_ sql: String) async throws -> [String] {
        try await pool.query(sql) { try $0.decode(0, as: String.self) }
    }

    /// All that is said of them: bodies, settings, whose rights they run with, who may call them.
    private static let everything = """
        SELECT pg_get_functiondef(p.oid) || coalesce(p.proacl::text, 'anybody') FROM pg_proc p
        WHERE p.pronamespace = 'tenure'::regnamespace ORDER BY p.oid
        """

    @Test func `functions are replaced when one has changed, and not otherwise`() async throws {
        #expect(try await up(.tenure) == [])
        #expect(try await state(.tenure) == .applied)
        #expect(try await state(Self.release(1)) == .pending)
        #expect(try await up(Self.release(1)) == ["functions"])
        #expect(try await answer() == 1)
        #expect(try await up(Self.release(2)) == ["functions"])
        #expect(try await answer() == 2)
        #expect(try await up(Self.release(2)) == [])
        #expect(try await texts("SELECT number::text FROM tenure.function_set").count == 3)
    }

    @Test func `an older release's migrate up leaves a newer one's functions`() async throws {
        let older = Self.release(1)
        let newer = Self.release(2, migrations: 1)
        #expect(try await up(older) == ["functions"])
        #expect(try await up(newer) == ["9000_later.sql", "functions"])
        #expect(try await state(older) == .ahead)
        #expect(try await up(older) == [])
        #expect(try await answer() == 2)
        try await Migrator(pool: pool, older).requireCurrent()
    }

    @Test func `a release that lacks a migration leaves what an even older one put in place`()
        async throws
    {
        #expect(try await up(Self.release(1)) == ["functions"])
        var newer = Self.release(3, migrations: 1)
        newer.functions = []  // it was stopped halfway
        #expect(try await up(newer) == ["9000_later.sql"])
        #expect(try await up(Self.release(2)) == [])
        #expect(try await answer() == 1)
    }

    @Test func `a release without functions of its own is remembered too`() async throws {
        #expect(try await up(Self.release(1)) == ["functions"])
        #expect(try await up(Self.release(1, migrations: 1)) == ["9000_later.sql"])
        let newest = try await texts("SELECT max(newest) FROM tenure.function_set")
        #expect(newest == ["9000_later.sql"])
        #expect(try await up(Self.release(2)) == [])
        #expect(try await answer() == 1)
    }

    @Test func `a program whose functions are not there doesn't start`() async throws {
        let error = await #expect(throws: TenureError.self) {
            try await Migrator(pool: pool, Self.release(1)).requireCurrent()
        }
        #expect(
            error?.message == "the functions of the tenure schema are not this program's; "
                + "run: tenure migrate up, or in a program: Migrator(pool:).up()")
    }

    @Test func `all functions put in place again are as they were`() async throws {
        try await pool.simple("GRANT EXECUTE ON FUNCTION tenure.enqueue_jobs TO pg_monitor")
        let before = try await texts(Self.everything)
        var set = MigrationSet.tenure
        set.functions.append(FunctionFile(name: "later/nothing.sql", sql: "-- Nothing.\n"))
        #expect(try await up(set) == ["functions"])
        #expect(try await texts(Self.everything) == before)
        #expect(before.allSatisfy { !$0.hasSuffix("anybody") })
    }

    @Test(
        arguments: [
            // Inside a body; in a query's body, which calls what isn't there; before any body.
            ("LANGUAGE plpgsql AS $$\nBEGIN\n    RETRUN 3;\nEND $$", 5, "42601"),
            ("LANGUAGE sql AS $$\n    SELECT tenure.nothing()\n$$", 4, "42883"),
            ("LANGUAGE sql SQL AS 'SELECT 3'", 3, "42601"),
        ], ["tenure", "a much longer name"])
    func `a broken function leaves all as it was, and its place is told`(
        _ fault: (body: String, line: Int, state: String), _ schema: String
    ) async throws {
        var configuration = pool.configuration
        configuration.schemas = ["tenure": schema]
        let pool = PostgresPool(configuration: configuration, size: 1)
        try await Migrator(pool: pool, Self.release(1)).up()
        var broken = Self.release(2)
        broken.functions.append(
            FunctionFile(
                name: "later/broken.sql",
                sql: """
                    -- Fails. ä
                    CREATE OR REPLACE FUNCTION tenure.broken() RETURNS integer
                    \(fault.body);
                    """))
        let error = await #expect(throws: PostgresError.self) {
            try await Migrator(pool: pool, broken).up()
        }
        #expect(error?.sqlState == fault.state)
        let place = "functions/later/broken.sql:\(fault.line): "
        #expect(error?.message.hasPrefix(place) == true, "\(error?.message ?? "")")
        let answer = try await pool.query("SELECT tenure.answer()") {
            try $0.decode(0, as: Int32.self)
        }
        #expect(answer == [1])
        await pool.close()
    }

    @Test func `a function that can't be replaced is named with its place`() async throws {
        var set = Self.release(1)
        try await Migrator(pool: pool, set).up()
        set.functions[set.functions.count - 1] = FunctionFile(
            name: "later/answer.sql",
            sql: """
                -- Says it in words.
                CREATE OR REPLACE FUNCTION tenure.answer() RETURNS text
                LANGUAGE sql AS $$ SELECT 'two' $$;
                """)
        let error = await #expect(throws: PostgresError.self) { try await up(set) }
        #expect(error?.message.hasPrefix("functions/later/answer.sql:2: ") == true, "\(error!)")
        #expect(try await answer() == 1)
    }

    @Test func `of migrators at the same time one puts the functions in place`() async throws {
        let sets = [Self.release(1), Self.release(1), Self.release(2, migrations: 1)]
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for set in sets + sets { group.addTask { try await up(set) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied.count { $0 == "9000_later.sql" } == 1)
        #expect((1...2).contains(applied.count { $0 == "functions" }))
        #expect(try await answer() == 2)
    }

    @Test func `every file is embedded, and every function comes from a file`() async throws {
        let home = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "migrations/functions")
        let walk = FileManager.default.enumerator(atPath: home.path())
        let files = (walk?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".sql") }
        let set = MigrationSet.tenure
        #expect(Set(set.functions.map(\.name)) == Set(files))
        let declared = set.texts.joined().matches(of: #/FUNCTION tenure\.(\w+)\(/#).map(\.1)
        let there = try await texts(
            """
            SELECT DISTINCT p.proname::text FROM pg_proc p
            WHERE p.pronamespace = 'tenure'::regnamespace
            """)
        #expect(Set(declared.map(String.init)) == Set(there))
    }
}
