import TenurePostgres
import Testing

@Suite struct ErrorTests {
    private func failure(_ conninfo: String) async -> PostgresError? {
        await #expect(throws: PostgresError.self) {
            try await PostgresConnection.connect(try PostgresConfiguration(conninfo))
        }
    }

    private func failure(changing keywords: String) async throws -> PostgresError? {
        await failure("\(try await TestDatabase.conninfo()) \(keywords)")
    }

    @Test func `A missing database says to create it`() async throws {
        let error = try await failure(changing: "dbname=there_is_none")
        #expect(error?.code == .connectFailed)
        #expect(error?.sqlState == "3D000")
        #expect(error?.isTransient == false)
        #expect(error?.description.contains("\"there_is_none\" does not exist") == true)
        #expect(error?.description.contains("createdb") == true)
    }

    @Test func `A wrong password says so and isn't printed`() async throws {
        try await TestDatabase.connection().simple(
            """
            DO $$ BEGIN CREATE ROLE needs_password LOGIN PASSWORD 'right';
            EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
            """)
        let error = try await failure(changing: "user=there_is_no_role password=hunter2")
        #expect(error?.code == .connectFailed)
        #expect(error?.isTransient == false)
        #expect(error.map { "\($0) \(String(reflecting: $0))" }?.contains("hunter2") == false)
    }

    @Test func `A refused connection asks whether the server runs`() async throws {
        let error = await failure("host=127.0.0.1 port=1")
        #expect(error?.code == .connectFailed)
        #expect(error?.isTransient == true)
        #expect(error?.description.contains("Is PostgreSQL running there") == true)
        #expect(error?.description.contains("\n") == false)
    }

    @Test func `A connection string that can't be read is not quoted`() {
        for text in ["password=hunter2 \"hunter2", "postgresql://u:hunter2@[h", "hunter2"] {
            let error = #expect(throws: PostgresError.self) {
                try PostgresConfiguration(text)
            }
            #expect(error?.code == .invalidConfiguration)
            #expect(error?.debugDescription.contains("hunter2") == false)
        }
    }

    @Test func `Printing a configuration doesn't show the password`() throws {
        let configuration = try PostgresConfiguration("host=h user=u password=hunter2")
        var dumped = ""
        dump(configuration, to: &dumped)
        let all = "\(configuration) \(String(reflecting: configuration)) \(dumped)"
        #expect(all.contains("host=h"))
        #expect(!all.contains("hunter2"))
    }

    @Test func `A violated constraint is named, its values only in the debug description`()
        async throws
    {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        try await connection.simple("CREATE TEMP TABLE t (x int CONSTRAINT once UNIQUE)")
        let error = await #expect(throws: PostgresError.self) {
            try await connection.simple("INSERT INTO t VALUES (4711), (4711)")
        }
        #expect(error?.sqlState == "23505")
        #expect(error?.constraint == "once")
        #expect(error?.description.contains("4711") == false)
        #expect(error?.debugDescription.contains("4711") == true)
        #expect(error?.isTransient == false)
    }

    @Test func `An error of a declared statement names it`() async throws {
        let connection = try await TestDatabase.connection()
        defer { connection.close() }
        let error = await #expect(throws: PostgresError.self) {
            try await connection.execute(SelectNumber(number: .max))
        }
        #expect(error?.statement == "SelectNumber")
        #expect(error?.sqlState == "22003")
    }
}
