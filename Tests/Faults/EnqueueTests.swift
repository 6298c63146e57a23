import FaultSupport
import Logging
import Tenure
import TestSupport
import Testing

/// What an enqueue is told whose connection breaks at the worst moment.
@Suite struct EnqueueTests {
    @Test(
        arguments: [nil, .superseding("page"), .coalescing("page"), .keeping("page")] as [KeyMode?])
    func `an enqueue whose COMMIT went unanswered is acknowledged once, and there once`(
        mode: KeyMode?
    ) async throws {
        let (fixture, proxy, client) = try await Self.behindProxy()
        for _ in 0..<3 {
            proxy.arm(.reply)
            let job = try NewJob(kind: "work", payload: "{}", mode)
            let answer = try await client.enqueue([job])
            #expect(try await fixture.number(Self.rows(of: answer[0].id)) == 1)
        }
        #expect(
            try await fixture.number("SELECT count(*) FROM tenure.job") == (mode == nil ? 3 : 1))
    }

    @Test func `an enqueue whose COMMIT never arrived is sent again, and there once`() async throws
    {
        let (fixture, proxy, client) = try await Self.behindProxy()
        for _ in 0..<3 {
            proxy.arm(.before)
            let job = try NewJob(kind: "work", payload: "{}")
            let answer = try await client.enqueue([job])
            #expect(answer[0].id == job.id)
        }
        #expect(try await fixture.number("SELECT count(*) FROM tenure.job") == 3)
    }

    private static func rows(of job: JobID) -> String {
        """
        SELECT (SELECT count(*) FROM tenure.job WHERE id = '\(job)')
             + (SELECT count(*) FROM tenure.job_history WHERE id = '\(job)')
        """
    }

    private static func behindProxy() async throws -> (FaultFixture, DatabaseProxy, TenureClient) {
        let fixture = try await FaultFixture()
        let proxy = try DatabaseProxy(to: fixture.postgres.socketFile)
        var logger = Logger(label: "enqueue")
        logger.logLevel = .critical
        let pool = PostgresPool(
            configuration: try PostgresConfiguration(proxy.conninfo(fixture.conninfo)), size: 2,
            logger: logger)
        return (fixture, proxy, TenureClient(pool: pool, logger: logger))
    }
}
