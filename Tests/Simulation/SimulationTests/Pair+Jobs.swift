import Simulation
import Tenure
import TenureFoundation
import TenurePostgres
import TenureWorker

/// Jobs in, and what operators do.
extension Pair {
    static let queues: [QueueName] = ["first", "second"]
    static let kinds: [JobKind] = ["work", "other"]
    private static let hour = Duration.seconds(3600)

    /// - Parameter waits: whether it may wait for other jobs.
    func newJob(_ random: inout SeededRandom, waits: Bool = false) throws -> NewJob {
        let mode = mode(&random)
        var options = EnqueueOptions()
        if waits { options.after = predecessors(of: mode, &random) }
        if random.percent(20) { options.runTime = .after(Self.hour) }
        // A lane's limits go with its name, or the order of one call's jobs would matter.
        if random.percent(30) {
            var heavy = Lane("b", maxRunning: 2)
            heavy.weight = 2
            options.lane = random.pick([
                Lane("a", maxRunning: 1), heavy,
                Lane("c", maxRunning: 3, minInterval: Self.hour),
                Lane("d", maxRunning: 9, rate: Rate(1, per: Self.hour, burst: 3)),
            ])
        }
        jobs += 1
        return try NewJob(
            kind: random.pick(Self.kinds), payload: "\(jobs)",
            payloadVersion: Int16(random.within(1...2)), mode,
            queue: random.pick(Self.queues), priority: JobPriority(Int16(random.within(4...6))),
            maxAttempts: random.within(1...3), options: options,
            id: JobID(milliseconds: UInt64(jobs), random: (0, random.next())))
    }

    /// Some that are there, of no key of its own.
    private func predecessors(of mode: KeyMode?, _ random: inout SeededRandom) -> [Predecessor] {
        switch mode?.way {
        case .coalescing, .debounced: return []
        case .superseding, .keeping, nil: break
        }
        let some = (store.jobs + store.history.map(\.job)).filter {
            $0.key == nil || $0.key != mode?.key
        }.map(\.id)
        if some.isEmpty { return [] }
        var needs: Set<JobID> = []
        for _ in 0..<random.within(1...3) { needs.insert(random.pick(some)) }
        return needs.sorted { $0.description < $1.description }.map {
            random.percent(30) ? .ended($0) : .completed($0)
        }
    }

    func settle() async throws {
        let real = try await runs.settleEnds(of: nil, atMost: 1000)
        let simulated = store.settleEnds()
        try expect(
            Set(real.released.values.joined()) == Set(simulated.released.values.joined())
                && Set(real.cancelled) == Set(simulated.cancelled),
            "settle_ends: \(real) and \(simulated)")
    }

    private func mode(_ random: inout SeededRandom) -> KeyMode? {
        let key = random.pick(["a", "b", "c", "d"])
        switch random.below(9) {
        case 0: return .superseding(key)
        case 1: return .superseding(key, overlap: .forbidden)
        case 2: return .coalescing(key)
        case 3: return .keeping(key)
        case 4: return .debounced(key, interval: Self.hour)
        case 5: return .debounced(key, interval: Self.hour, maxWait: .seconds(60))
        default: return nil
        }
    }

    func enqueue(_ random: inout SeededRandom) async throws {
        let news =
            random.percent(30)
            ? [try newJob(&random, waits: true)]
            : try (0..<random.within(1...4)).map { _ in try newJob(&random) }
        let real = try await pool.execute(EnqueueJobs(news))
        let simulated = try store.enqueue(news)
        try compare(real, simulated, of: news)
    }

    func compare(
        _ real: [EnqueuedJob], _ simulated: [SimulatedStore.Enqueued], of news: [NewJob]
    ) throws {
        for (a, b) in zip(real, simulated) {
            try expect(
                a.id == b.id && a.result.rawValue == b.result
                    && generations.same(b.generation, a.generation?.rawValue),
                "enqueue of \(news.map(\.id)): \(a) and \(b)")
        }
        ids += news.map(\.id)
    }

    // MARK: Operators

    private func anyID(_ random: inout SeededRandom) -> JobID? {
        let unfinished = store.jobs.map(\.id)
        let some = random.percent(80) && !unfinished.isEmpty ? unfinished : ids
        return some.isEmpty ? nil : random.pick(some)
    }

    func cancel(_ random: inout SeededRandom) async throws {
        guard let id = anyID(&random) else { return }
        let real = try await pool.query(
            "SELECT tenure.cancel_job($1, 'somebody')", [id.uuid]
        ) { try $0.decode(0, as: String.self) }[0]
        let simulated = try store.cancel(id, by: "somebody")
        // History of a job that its queue didn't keep is gone in both.
        try expect(real == simulated, "cancel \(id): \(real) and \(simulated)")
    }

    func retry(_ random: inout SeededRandom) async throws {
        guard let id = anyID(&random) else { return }
        // What a repeated waiter waits for is PostgreSQL's alone.
        if store.edges[id] != nil, !store.jobs.contains(where: { $0.id == id }) { return }
        jobs += 1
        let new = JobID(milliseconds: UInt64(jobs), random: (0, random.next()))
        let real = try await pool.query(
            "SELECT r.id, r.generation, r.result FROM tenure.retry_job($1, $2) AS r",
            [id.uuid, new.uuid]
        ) { row in
            (
                JobID(try row.decode(0, as: UUID.self)), try row.decode(1, as: Int64?.self),
                try row.decode(2, as: String.self)
            )
        }.first
        let simulated = try store.retry(id, as: new)
        try expect(
            real?.0 == simulated?.id && real?.2 == simulated?.result
                && generations.same(simulated?.generation, real?.1),
            "retry \(id): \(String(describing: real)) and \(String(describing: simulated))")
        ids.append(new)
    }

    func operate(_ verb: Step.Verb, _ random: inout SeededRandom) async throws {
        let queue = random.pick(Self.queues)
        switch verb {
        case .pause:
            store.pause(queue)
            try await pool.query(
                """
                INSERT INTO tenure.queue (name, paused_at) VALUES ($1, clock_timestamp())
                ON CONFLICT (name) DO UPDATE SET paused_at = clock_timestamp()
                """, [queue.rawValue])
        case .limit:
            let most = random.pick([nil, 1, 2, 4])
            store.limit(queue, to: most)
            _ = try await pool.query(
                "SELECT tenure.limit_queue($1, $2)", [queue.rawValue, most.map { Int32($0) }]
            ) { _ in 0 }
        case .keep:
            let keeps = random.percent(50)
            store.keepCompleted(keeps, in: queue)
            try await pool.query(
                """
                INSERT INTO tenure.queue (name, keep_completed) VALUES ($1, $2)
                ON CONFLICT (name) DO UPDATE SET keep_completed = EXCLUDED.keep_completed
                """, [queue.rawValue, keeps])
        default:
            for queue in Self.queues { store.resume(queue) }
            try await pool.query("UPDATE tenure.queue SET paused_at = NULL")
        }
    }

    func releaseHeld(_ random: inout SeededRandom) async throws {
        let release = random.pick(["1", "2"])
        let kinds = readable(
            random.percent(50) ? Self.kinds : [random.pick(Self.kinds)])
        let real = try await runs.releaseHeld(kinds: kinds, release: release)
        let simulated = store.releaseHeld(kinds: kinds, release: release)
        try expect(real == simulated, "release_held: \(real) and \(simulated)")
    }

    /// Two hours pass for what waits.
    func pass() async throws {
        try await pool.simple(
            """
            UPDATE tenure.job SET run_at = run_at - interval '2 hours',
                created_at = CASE WHEN has_waiters THEN created_at
                                  ELSE created_at - interval '2 hours' END;
            UPDATE tenure.lane_holders SET next_at = next_at - interval '2 hours',
                turn_at = turn_at - interval '2 hours';
            UPDATE tenure.lane_call SET at = at - interval '2 hours';
            """)
        positions = [:]
    }
}
