import Logging
import Tenure
import TenureWorker
import TestSupport
import Testing

@Suite struct QueueCapacityTests {
    private func jobs(_ count: Int) throws -> [NewJob] {
        try (0..<count).map { try NewJob(Edit(text: "\($0)")) }
    }

    @Test func `a full queue refuses, and says how full it is and when to come back`()
        async throws
    {
        let fixture = try await WorkerFixture("capacity")
        try await Operator(client: fixture.client, as: "ada").setCapacity(of: .default, to: 10)
        try await fixture.client.enqueue(try jobs(10))
        let error = await #expect(throws: TenureError.self) {
            try await fixture.client.enqueue(Edit(text: "one more"))
        }
        #expect(error?.code == .queueFull)
        let full = try #require(error?.cause as? QueueFull)
        #expect(full.queue == .default && full.capacity == 10 && full.pending == 10)
        #expect(full.retryAfter == .seconds(1))
        // Another client learns it from the database, with the next count.
        _ = try await fixture.pool.query("UPDATE tenure.queue_capacity SET next_at = '-infinity'")
        let other = TenureClient(pool: fixture.pool)
        await #expect(throws: TenureError.self) { try await other.enqueue(Edit(text: "me too")) }
        #expect(try await fixture.count("tenure.job") == 10)
        // Another queue, and what comes with a transaction.
        var elsewhere = EnqueueOptions()
        elsewhere.queue = "elsewhere"
        try await fixture.client.enqueue(Edit(text: "x"), options: elsewhere)
        try await fixture.pool.transaction { transaction in
            _ = try fixture.client.enqueue(Edit(text: "y"), in: transaction)
        }
        #expect(try await fixture.count("tenure.job") == 12)
        try await Operator(client: fixture.client, as: "ada").setCapacity(of: .default, to: nil)
        try await TenureClient(pool: fixture.pool).enqueue(Edit(text: "free"))
    }

    @Test func `who waits gets in when there is room, or is refused at its deadline`()
        async throws
    {
        let fixture = try await WorkerFixture("capacity-wait")
        try await Operator(client: fixture.client, as: "ada").setCapacity(of: .default, to: 2)
        try await fixture.client.enqueue(try jobs(2))
        let start = ContinuousClock.now
        let error = await #expect(throws: TenureError.self) {
            try await fixture.client.enqueue(
                Edit(text: "late"), whenFull: .wait(.milliseconds(300)))
        }
        #expect(error?.code == .queueFull)
        #expect(start.duration(to: .now) >= .milliseconds(300))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await fixture.client.enqueue(
                    Edit(text: "patient"), whenFull: .wait(.seconds(30)))
            }
            group.addTask {
                try await Task.sleep(for: .milliseconds(200))
                _ = try await fixture.pool.query("DELETE FROM tenure.job")
            }
            try await group.waitForAll()
        }
        #expect(try await fixture.count("tenure.job") == 1)
    }

    @Test func `one count a second serves all producers`() async throws {
        let fixture = try await WorkerFixture("capacity-count")
        try await Operator(client: fixture.client, as: "ada").setCapacity(of: .default, to: 1000)
        try await fixture.client.enqueue(Edit(text: "first"))
        // A second that takes as long as the test.
        _ = try await fixture.pool.query(
            "UPDATE tenure.queue_capacity SET next_at = clock_timestamp() + interval '1 h'")
        for number in 0..<20 {
            try await TenureClient(pool: fixture.pool).enqueue(Edit(text: "\(number)"))
        }
        let counted = "SELECT pending FROM tenure.queue_capacity"
        #expect(try await fixture.value(counted, as: Int64.self) == 0)
        _ = try await fixture.pool.query("UPDATE tenure.queue_capacity SET next_at = '-infinity'")
        try await TenureClient(pool: fixture.pool).enqueue(Edit(text: "last"))
        #expect(try await fixture.value(counted, as: Int64.self) == 21)
    }

    @Test func `a client remembers what it has added since the count it is told`() async throws {
        let fixture = try await WorkerFixture("capacity-memory")
        try await Operator(client: fixture.client, as: "ada").setCapacity(of: .default, to: 10)
        try await fixture.client.enqueue(try jobs(6))
        // Nobody counts again.
        _ = try await fixture.pool.query(
            "UPDATE tenure.queue_capacity SET next_at = clock_timestamp() + interval '1 h'")
        try await Task.sleep(for: .milliseconds(1100))
        try await fixture.client.enqueue(try jobs(4))
        try await Task.sleep(for: .milliseconds(1100))
        let error = await #expect(throws: TenureError.self) {
            try await fixture.client.enqueue(Edit(text: "one more"))
        }
        #expect((error?.cause as? QueueFull)?.pending == 10)
        // What the database has counted since isn't added to it.
        _ = try await fixture.pool.query("DELETE FROM tenure.job")
        _ = try await fixture.pool.query("UPDATE tenure.queue_capacity SET next_at = '-infinity'")
        try await Task.sleep(for: .milliseconds(1100))
        try await fixture.client.enqueue(try jobs(10))
    }

    @Test(arguments: ["57014", "55P03", "42501"])
    func `an enqueue is not refused for want of an estimate`(_ state: String) async throws {
        let fixture = try await WorkerFixture("capacity-slow")
        try await Operator(client: fixture.client, as: "ada").setCapacity(of: .default, to: 10)
        _ = try await fixture.pool.query(
            """
            CREATE OR REPLACE FUNCTION tenure.count_pending(wanted_queue text, most bigint)
            RETURNS bigint LANGUAGE plpgsql AS $$
            BEGIN
                RAISE EXCEPTION 'too slow' USING ERRCODE = '\(state)';
            END $$
            """)
        let recorder = Recorder()
        let recorded = try fixture.recorded(by: recorder)
        for number in 0..<3 { try await recorded.client.enqueue(Edit(text: "\(number)")) }
        #expect(try await fixture.count("tenure.job") == 3)
        let said = recorder.all.filter { $0.message.hasPrefix("a queue was not measured") }
        // Five seconds later, on a busy machine, it is tried again, and warned of once still.
        #expect(said.first?.level == .warning)
        #expect(said.dropFirst().allSatisfy { $0.level == .debug })
    }

    @Test func `a queue without a capacity is counted never`() async throws {
        let fixture = try await WorkerFixture("capacity-none")
        try await fixture.client.enqueue(try jobs(20))
        #expect(try await fixture.count("tenure.queue_capacity") == 0)
    }
}
