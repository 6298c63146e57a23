import FaultSupport
import Logging
import Tenure
import TestSupport

/// A server of the test's own, a migrated database, and the table that effects are written to.
struct FaultFixture {
    let postgres: TestPostgres
    let conninfo: String
    let pool: PostgresPool
    let client: TenureClient

    /// - Parameter given: the server; one of its own if nil.
    init(_ given: TestPostgres? = nil) async throws {
        if let given {
            postgres = given
        } else {
            postgres = try await TestPostgres.dedicated()
        }
        conninfo = postgres.conninfo
        pool = PostgresPool(
            configuration: try PostgresConfiguration(conninfo), size: 8, logger: Self.silent)
        client = TenureClient(pool: pool, logger: Self.silent)
        try await Migrator(pool: pool).up()
        try await pool.simple(
            """
            CREATE TABLE effect (
                job uuid NOT NULL, fence bigint NOT NULL, generation bigint, key text,
                kind text, payload_tag text)
            """)
    }

    /// Errors are what these tests make.
    static let silent: Logger = {
        var logger = Logger(label: "faults")
        logger.logLevel = .critical
        return logger
    }()

    func pool(behind proxy: DatabaseProxy, size: Int) throws -> PostgresPool {
        PostgresPool(
            configuration: try PostgresConfiguration(proxy.conninfo(conninfo)), size: size,
            logger: Self.silent)
    }

    /// - Parameter runs: milliseconds that each run takes, the last for all further ones.
    func enqueue(
        _ runs: Int..., ignoring: Bool = false, mode: KeyMode? = nil
    ) async throws -> String {
        let behaviour = ignoring ? "stubborn" : "steady"
        let payload = #"{"plan": {"milliseconds": \#(runs), "behaviour": "\#(behaviour)"}}"#
        let job = try NewJob(kind: "work", payload: payload, mode, maxAttempts: 20)
        return try await client.enqueue([job])[0].id.description
    }

    func eventually(_ what: String, within limit: Duration, _ sql: String) async throws {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            do {
                if try await pool.query(sql, decode: { try $0.decode(0, as: Bool.self) })[0] {
                    return
                }
            } catch let error as PostgresError where error.isTransient || error.isConnectionLoss {
                // The server is being killed: ask again.
            }
            try await Task.sleep(for: .milliseconds(30))
        }
        throw ProcessFailure(what: "never happened: \(what)")
    }

    func number(_ sql: String) async throws -> Int64 {
        try await pool.query(sql) { try $0.decode(0, as: Int64.self) }[0]
    }

    /// No job ran to completion twice, none wrote twice, and every effect is its job's.
    func expectOneCommitEach() async throws -> Int64 {
        try await number(
            """
            SELECT (SELECT count(*) FROM (SELECT job FROM effect
                                          GROUP BY job HAVING count(*) > 1) d)
                 + (SELECT count(*) FROM (SELECT id FROM tenure.job_history
                                          GROUP BY id HAVING count(*) > 1) h)
                 + (SELECT count(*) FROM tenure.job_history h
                    LEFT JOIN effect e ON e.job = h.id AND e.fence = h.fence
                    WHERE h.outcome = 'completed' AND e.job IS NULL)
                 + (SELECT count(*) FROM effect e
                    LEFT JOIN tenure.job_history h ON h.id = e.job AND h.outcome = 'completed'
                    WHERE h.id IS NULL)
            """)
    }
}
