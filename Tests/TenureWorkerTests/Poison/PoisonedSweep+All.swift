import Tenure
import TenureFoundation
import TenureWorker

@testable import TenureCoordinator

extension PoisonedSweep {
    static let all =
        lists + [
            PoisonedSweep("next due") { scene in
                _ = try await scene.enqueue("after => '1 h'")
                let due = try await scene.runs.nextDue(
                    in: .default, kinds: ["well", "sick"], from: nil, release: "0")
                return due.dueIn != nil
            },
            PoisonedSweep("beat") { scene in
                let lines = try await scene.sessions.beat(
                    scene.session, runs: [], unknownSince: Fence(.max), news: [],
                    deadline: .seconds(30))
                return lines.contains { if case .renewed = $0 { true } else { false } }
            },
            PoisonedSweep("claim, then ends in groups") { scene in
                let ids = [try await scene.enqueue(""), try await scene.enqueue("lane => 'well'")]
                let jobs = try await scene.claim()
                guard Set(ids).isSubset(of: Set(jobs.map(\.run.job.uuid))) else { return false }
                let plain = jobs.map(\.ref)
                let left = Set(try await scene.runs.complete(plain.map { ($0, nil) }))
                _ = try await scene.runs.end(
                    plain.filter { left.contains($0.job) }.map { RunEnding($0, .handedBack) })
                return try await scene.has(
                    "tenure.job_history WHERE id = '\(ids[0])' AND outcome = 'completed'")
            },
            PoisonedSweep("reclaim, deaths noted") { scene in
                let dead = try await scene.sessions.open(
                    SessionProfile(
                        role: "worker", name: "dead", version: "0",
                        lease: try LeaseRule(length: .seconds(3600))))
                let job = try await scene.enqueue("priority => 0")
                _ = try await scene.claim(1, as: dead)
                try await scene.fixture.pool.simple(
                    """
                    UPDATE tenure.session SET ended_at = clock_timestamp(), died = true
                    WHERE id = \(dead)
                    """)
                let reclaimed = try await scene.sessions.reclaimRuns()
                return reclaimed.contains { $0.job.uuid == job }
            },
            PoisonedSweep("settle ends") { scene in
                let root = try await scene.enqueue("")
                try await scene.fixture.pool.simple(
                    """
                    SELECT tenure.enqueue_jobs(jsonb_build_array(jsonb_build_object(
                        'kind', 'well', 'key', 'after \(root)', 'waits', jsonb_build_array(
                            jsonb_build_object('completed', '\(root)')))));
                    SELECT tenure.cancel_job('\(root)', 'eve')
                    """)
                _ = try await scene.fixture.pool.query("SELECT * FROM tenure.settle_ends()")
                return try await scene.has(
                    "tenure.job_history WHERE key = 'after \(root)' AND outcome = 'cancelled'")
            },
            PoisonedSweep("breakers") { scene in
                _ = try await scene.fixture.pool.execute(
                    TripBreakers(breaker: KindBreaker(deaths: 2)))
                return true
            },
            PoisonedSweep("follow the clock") { scene in
                let job = try await scene.enqueue("after => '1 h'")
                let steps: Int64 = try await scene.fixture.value(
                    "SELECT c.steps FROM tenure.clock c")
                _ = try await scene.sessions.followClock(
                    seenSteps: steps, back: .seconds(3600), finder: scene.session)
                return try await scene.has(
                    "tenure.job WHERE id = '\(job)' AND run_at <= clock_timestamp()")
            },
            PoisonedSweep("expire") { scene in
                let job = try await scene.enqueue(
                    "not_after => clock_timestamp() - interval '1 s'")
                return try await scene.runs.expire().jobs.contains { $0.job.uuid == job }
            },
            PoisonedSweep("release held") { scene in
                let job = try await scene.enqueue("")
                try await scene.fixture.pool.simple(
                    """
                    UPDATE tenure.job SET state = 'held', hold_versions = '{x}'
                    WHERE id = '\(job)'
                    """)
                _ = try await scene.runs.releaseHeld(kinds: ["well", "sick"], release: "y")
                return try await scene.has("tenure.job WHERE id = '\(job)' AND state = 'available'")
            },
            PoisonedSweep("settle") { scene in
                let batch = NewBatch([try NewJob(kind: "well", payload: "{}")])
                try await scene.fixture.client.start(batch)
                try await scene.fixture.pool.simple(
                    "DELETE FROM tenure.job WHERE batch_id = '\(batch.id)'")
                let all: [UUID] = try await scene.fixture.pool.query("SELECT id FROM tenure.batch")
                {
                    try $0.decode(0)
                }
                return try await scene.runs.settle(batches: all, sent: {})
                    .contains { $0.batch == batch.id }
            },
            PoisonedSweep("sweep batches") { scene in
                let batch = NewBatch([try NewJob(kind: "well", payload: "{}")])
                try await scene.fixture.client.start(batch)
                try await scene.fixture.pool.simple(
                    "UPDATE tenure.batch SET ending_at = clock_timestamp() WHERE id = '\(batch.id)'"
                )
                return try await scene.runs.sweepBatches(after: nil).settled.contains {
                    $0.batch == batch.id
                }
            },
            PoisonedSweep("fire schedules") { scene in
                let job = #"{"kind": "well", "key": "fired"}"#
                try await scene.fixture.pool.simple(
                    "SELECT tenure.put_schedule('well', '1 h', NULL, NULL, '\(job)', false)")
                _ = try await scene.fixture.pool.execute(FireSchedules())
                return try await scene.has("tenure.job WHERE key = 'fired'")
            },
            PoisonedSweep("housekeeping") { scene in
                try await scene.fixture.pool.simple(
                    """
                    INSERT INTO tenure.batch (id, created_at) VALUES
                        ('00000000-0000-7000-8000-000000000099',
                         clock_timestamp() - interval '1 year');
                    INSERT INTO tenure.subject_lock (kind, key) VALUES ('well', 'old');
                    INSERT INTO tenure.subject (kind, key, issued, touched_at)
                    VALUES ('well', 'old', 1, clock_timestamp() - interval '1 year');
                    INSERT INTO tenure.action
                        (id, at, last_at, verb, thing, whom, source, role, about)
                    SELECT gen_random_uuid(), t.at, t.at, 'v', 't', 'ada', 'sql', 'r', '{}'
                    FROM (VALUES (clock_timestamp() - interval '1 year'), ('infinity'),
                                 ('-infinity')) AS t (at)
                    """)
                try await Housekeeping(
                    pool: scene.fixture.pool, configuration: CoordinatorConfiguration()
                ).run()
                let isLeft = try await scene.has(
                    "tenure.batch WHERE id = '00000000-0000-7000-8000-000000000099'")
                let isKept = try await scene.has("tenure.subject WHERE key = 'old'")
                let isTold = try await scene.has(
                    "tenure.action WHERE role = 'r' AND last_at < 'infinity'")
                let isPoison = try await scene.has("tenure.action WHERE role = 'r'")
                return !isLeft && !isKept && !isTold && isPoison
            },
            PoisonedSweep("enqueue into a queue with a bound") { scene in
                try await scene.fixture.client.enqueue([
                    try NewJob(kind: "well", payload: "{}", queue: "bounded")
                ]).count == 1
            },
            PoisonedSweep("bulk retry and cancel") { scene in
                let job = try await scene.enqueue("after => '1 h'")
                let someone = Operator(client: scene.fixture.client, as: "ada")
                var filter = JobFilter()
                filter.finished = true
                _ = try await someone.apply(.retry, toAll: filter)
                let isDue = try await scene.has(
                    "tenure.job WHERE id = '\(job)' AND run_at <= clock_timestamp()")
                _ = try await someone.apply(.cancel, toAll: filter)
                return try await scene.has("tenure.job_history WHERE id = '\(job)'") && isDue
            },
        ]

    /// What people look at.
    private static let lists = [
        PoisonedSweep("lists") { scene in
            let inspector = Inspector(pool: scene.fixture.pool)
            var filter = JobFilter()
            filter.finished = true
            for job in try await inspector.jobs(filter) {
                if let detail = try await inspector.job(job.id) {
                    _ = try await inspector.delays(of: detail)
                }
            }
            _ = try await inspector.key("sick", of: "sick")
            _ = try await inspector.queues()
            _ = try await inspector.kinds()
            _ = try await Lanes(client: scene.fixture.client).list()
            _ = try await Schedules(pool: scene.fixture.pool, as: "ada").list()
            return try await !inspector.sessions(ended: true).isEmpty
        },
        PoisonedSweep("figures") { scene in
            let inspector = Inspector(pool: scene.fixture.pool)
            _ = try await inspector.statistics(since: .seconds(3600))
            _ = try await inspector.activity()
            _ = try await inspector.oldestDue()
            _ = try await inspector.overdue()
            _ = try await inspector.unusable()
            return try await !inspector.tables().isEmpty
        },
    ]
}
