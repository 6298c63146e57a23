import TenurePostgres
import Testing

/// Many jobs of a key in one call: told and done as if each had come alone, and in linear time.
@Suite struct SeriesTests {
    @Test(arguments: [1, 2, 3, 4])
    func `A call comes to what its jobs come to one by one`(seed: Int) async throws {
        let database = try await ExampleDatabase()
        let connection = try await database.connect()
        defer { connection.close() }
        try await connection.simple(Self.worlds)
        let rows = try await connection.query(
            "SELECT setseed($1::float8 / 10)", [Double(seed)])
        #expect(rows == 1)
        let found = try await connection.query("SELECT t.rounds(60)") {
            try $0.decode(0, as: String.self)
        }
        #expect(found == ["0 of 60 differ"])
    }

    @Test func `A key named thousands of times costs what as many keys cost`() async throws {
        let database = try await ExampleDatabase()
        let connection = try await database.connect()
        defer { connection.close() }
        func time(_ mode: String, key: String, count: Int = 2000) async throws -> Duration {
            let clock = ContinuousClock()
            return try await clock.measure {
                let answers = try await connection.query(
                    """
                    SELECT e.id FROM tenure.enqueue_jobs((
                        SELECT jsonb_agg(jsonb_build_object('kind', 'k', 'key', \(key),
                            'mode', \(mode), 'payload', i, 'max_wait', '1 h', 'after', '1 min'))
                        FROM generate_series(1, \(count)) AS i)) AS e
                    """)
                #expect(answers == count)
            }
        }
        let ways = "(ARRAY['superseding', 'coalescing', 'keeping', 'debounced'])[1 + i % 4]"
        _ = try await time("'coalescing'", key: "'warm' || i", count: 200)
        let distinct = try await time("'coalescing'", key: "'other' || i")
        for mode in ["'superseding'", "'coalescing'", "'keeping'", "'debounced'", ways] {
            let same = try await time(mode, key: mode == ways ? "'m'" : mode)
            #expect(same < distinct * 3 + .milliseconds(200), "\(mode): \(same), \(distinct)")
        }
        let mixed = try await time(ways, key: "'mixed ' || i % 500", count: 10_000)
        #expect(mixed < distinct * 15 + .seconds(1), "\(mixed) for 10,000, \(distinct) for 2,000")
    }
}
