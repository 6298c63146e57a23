import Tenure
import TenureWorker
import TestSupport
import Testing

/// A worker's queues claim each for itself, and many of them together.
@Suite(.timeLimit(.minutes(3))) struct ManyQueuesTests {
    private static func names(_ count: Int) -> [QueueName] {
        (0..<count).map { QueueName("queue \($0)") }
    }

    private static func enqueue(
        _ fixture: WorkerFixture, in queues: [QueueName], each: Int, lane: String? = nil
    ) async throws {
        let jobs = try (0..<(queues.count * each)).map { number in
            var options = EnqueueOptions()
            options.queue = queues[number % queues.count]
            if let lane { options.lane = Lane(lane, maxRunning: 2) }
            return try NewJob(Edit(text: "\(number)"), options: options)
        }
        try await fixture.client.enqueue(jobs)
    }

    private static func run(
        _ fixture: WorkerFixture, _ queues: [QueueName],
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        var jobs = JobRegistry()
        jobs.handle(Edit.self) { _, _ in .completed }
        try await fixture.withWorker(jobs) {
            $0.queues = Dictionary(uniqueKeysWithValues: queues.map { ($0, 2) })
        } _: {
            try await body()
        }
    }

    @Test func `a hundred queues are drained, those with limits and lanes too`() async throws {
        let fixture = try await WorkerFixture("many queues")
        let queues = Self.names(100)
        _ = try await fixture.pool.query(
            """
            SELECT tenure.limit_queue('queue 7', 1), tenure.limit_queue('queue 8', 2)
            """
        ) { _ in }
        try await Self.enqueue(fixture, in: queues, each: 20)
        try await Self.enqueue(fixture, in: Array(queues.prefix(10)), each: 5, lane: "host")
        try await Self.run(fixture, queues) {
            try await fixture.eventually(
                "all are drained", "SELECT count(*) = 0 FROM tenure.job")
        }
    }

    /// The claims of one queue fail, by a row that it can't read.
    @Test func `a queue whose claims fail leaves the others alone`() async throws {
        let fixture = try await WorkerFixture("one fails")
        let queues = Self.names(20)
        try await Self.enqueue(fixture, in: queues, each: 5)
        _ = try await fixture.pool.query(
            """
            CREATE FUNCTION tenure.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'a bad row'; END $$
            """
        ) { _ in }
        _ = try await fixture.pool.query(
            """
            CREATE TRIGGER refuse BEFORE UPDATE ON tenure.job FOR EACH ROW
            WHEN (OLD.queue = 'queue 3') EXECUTE FUNCTION tenure.refuse()
            """
        ) { _ in }
        try await Self.run(fixture, queues) {
            try await fixture.eventually(
                "all but one are drained",
                "SELECT count(*) = 0 FROM tenure.job WHERE queue <> 'queue 3'")
        }
        try await fixture.eventually(
            "that one is whole",
            "SELECT count(*) = 5 FROM tenure.job WHERE queue = 'queue 3' AND state = 'available'")
    }
}
