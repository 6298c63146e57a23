import Synchronization
import Tenure
import TenureWorker
import TestSupport
import Testing

/// Many jobs, one commit. What goes wrong with one is in `ChunkFailureTests`.
@Suite struct ChunkTests {
    @Test func `jobs that are ready together are committed by one transaction`() async throws {
        let scene = try await ChunkScene("chunk")
        try await scene.fixture.withWorker(scene.jobs(), slots: ChunkScene.size) {
            try await scene.enqueue()
            try await scene.ended()
            #expect(try await scene.effects() == (32, 1))
            #expect(scene.calls.sizes == [32])
        }
    }

    @Test func `a job that is alone waits for nobody`() async throws {
        let scene = try await ChunkScene("alone")
        try await scene.fixture.withWorker(scene.jobs(within: .zero), slots: 4) {
            for number in 1...3 {
                try await scene.enqueue(number)
                try await scene.ended(number * (number + 1) / 2)
            }
        }
    }

    @Test func `those that become ready while others commit go together`() async throws {
        let scene = try await ChunkScene("meanwhile")
        let jobs = scene.jobs(
            within: .zero, meanwhile: { _ in try await Task.sleep(for: .milliseconds(300)) })
        try await scene.fixture.withWorker(jobs, slots: ChunkScene.size) {
            try await scene.enqueue()
            try await scene.ended()
            #expect(try await scene.effects().count == 32)
            #expect(try await scene.effects().transactions < 16)
        }
    }

    /// Where commits are quick, few large ones cost less; where they are slow, two are under way.
    @Test(arguments: [1, 3])
    func `another goes beside one that takes long, however small it is`(more: Int) async throws {
        let scene = try await ChunkScene("beside-\(more)")
        let seen = Mutex<[Int]>([])
        let jobs = scene.jobs(
            within: .milliseconds(100),
            each: { [calls = scene.calls] parcel, _ in
                while parcel.number > 1003, calls.sizes.isEmpty {
                    try await Task.sleep(for: .milliseconds(1))
                }
            },
            meanwhile: { [calls = scene.calls] _ in
                // Less than the turn after which nobody waits for it.
                try await Task.sleep(for: .milliseconds(350))
                seen.withLock { $0 = calls.sizes }
            })
        try await scene.fixture.withWorker(jobs, slots: ChunkScene.size) {
            try await scene.enqueue(3 + more)
            try await scene.ended(3 + more)
        }
        #expect(seen.withLock { $0 } == [3, more])
        #expect(scene.calls.sizes == [3, more])
    }

    @Test func `no chunk has more members than its writer takes, nor waits longer than it says`()
        async throws
    {
        let scene = try await ChunkScene("bounds")
        let jobs = scene.jobs(upTo: 10, within: .milliseconds(500))
        try await scene.fixture.withWorker(jobs, slots: ChunkScene.size) {
            try await scene.enqueue()
            try await scene.ended()
            #expect(scene.calls.sizes.allSatisfy { $0 <= 10 })
            #expect(try await scene.effects().count == 32)
        }
    }

    @Test func `each job ends as it says`() async throws {
        for (outcome, word) in [
            (JobOutcome.discard(reason: "no use"), "discarded"),
            (try JobOutcome.completed(result: ["a": 1]), "completed"),
        ] {
            let scene = try await ChunkScene(word)
            try await scene.fixture.withWorker(scene.jobs(as: outcome), slots: 32) {
                try await scene.enqueue()
                try await scene.ended(as: word)
            }
            #expect(try await scene.effects() == (32, 1))
            let said = try await scene.fixture.value(
                """
                SELECT bool_and(reason = 'no use' OR result = '{"a": 1}') FROM tenure.job_history
                """, as: Bool.self)
            #expect(said)
        }
        let scene = try await ChunkScene("snoozed")
        let jobs = scene.jobs(as: .snooze(for: .seconds(3600)))
        try await scene.fixture.withWorker(jobs, slots: 32) {
            try await scene.enqueue()
            try await scene.fixture.eventually(
                "all are put off",
                "SELECT count(*) = 32 FROM tenure.job WHERE state = 'scheduled' AND attempt = 0")
        }
        #expect(try await scene.effects() == (32, 1))
    }

    @Test func `what members enqueue is there with them, each in its own batch`() async throws {
        let scene = try await ChunkScene("follow-ups")
        let fixture = scene.fixture
        let writer = ChunkWriter<Int>(upTo: 4, within: .seconds(20)) { members, transaction in
            for member in members {
                var options = EnqueueOptions()
                options.batch = member.context.batchID
                let next = Parcel(number: member.value + 1000, isNew: true)
                try member.context.client.enqueue(
                    next, .keeping(next.key), options: options, in: transaction)
            }
        }
        var jobs = JobRegistry()
        jobs.handle(Parcel.self) { parcel, context in
            if parcel.isNew { return .completed }
            return try await context.commit(parcel.number, by: writer)
        }
        try await fixture.withWorker(jobs, slots: 4) {
            let batches = try (1...2).map { batch in
                NewBatch(try (1...2).map { try NewJob(Parcel(number: batch * 10 + $0)) })
            }
            for batch in batches { try await fixture.client.start(batch) }
            for batch in batches { _ = try await fixture.client.end(ofBatch: batch.id) }
            let numbers = try await fixture.pool.query(
                """
                SELECT count(*) FROM tenure.job_history
                WHERE (payload->>'isNew')::bool AND outcome = 'completed' GROUP BY batch_id
                """
            ) { try $0.decode(0, as: Int64.self) }
            #expect(numbers == [2, 2])
        }
    }
}
