public import TenurePostgres

/// Looks at the queue and changes nothing.
public struct Inspector: Sendable {
    let pool: PostgresPool
    let seals: PayloadSeals

    /// - Parameter codec: reads the results of a batch. All else is shown as it is stored.
    public init(pool: PostgresPool, codec: (any PayloadCodec)? = nil) {
        self.pool = pool
        seals = PayloadSeals(codec)
    }

    /// The newest jobs first.
    public func jobs(_ filter: JobFilter = JobFilter()) async throws -> [JobSummary] {
        try await pool.ask(ListJobs(filter: filter))
    }

    /// The whole story of a job; nil when there is none of that id, or history has dropped it.
    public func job(_ id: JobID) async throws -> JobDetail? {
        let (found, errors, progress, steps, waits, signals, after, waiters, log) =
            try await withRemedy {
                try await pool.pipeline(
                    ReadJob(id: id), ListAttemptErrors(job: id), ReadProgress(job: id),
                    ListSteps(job: id), ListWaits(job: id), ListSignals(job: id),
                    ListPredecessors(job: id), ListWaiters(job: id), ListLog(job: id))
            }
        guard var detail = found.first else { return nil }
        detail.errors = errors
        detail.progress = progress.first
        detail.steps = steps
        detail.log = log.reversed()
        detail.after = JobLinks(after)
        detail.waiters = JobLinks(waiters)
        // What a job that is over once waited for is no news.
        if !detail.summary.status.isFinished { (detail.waits, detail.signals) = (waits, signals) }
        return detail
    }

    /// Every queue that has a row, a job or a live worker, by name.
    /// - Parameter most: how far each state of a queue is counted, 1 to 100,000
    ///   (``QueueStatus/pendingIsAtLeast``); nil: to its end, which takes the longer the more jobs
    ///   there are.
    public func queues(countingTo most: Int? = nil) async throws -> [QueueStatus] {
        try await pool.ask(ListQueues(most: most))
    }

    /// - Parameter most: as in ``queues(countingTo:)``.
    /// - Returns: nil for one that has no row, job or live worker.
    public func queue(
        _ name: QueueName, countingTo most: Int? = nil
    ) async throws -> QueueStatus? {
        try await pool.ask(ListQueues(named: [name], most: most)).first
    }

    /// Those of these names that there are, by name.
    package func queues(
        _ names: [QueueName], countingTo most: Int?
    ) async throws -> [QueueStatus] {
        try await pool.ask(ListQueues(named: names, most: most))
    }

    /// Those behind the last of a list, for the one that follows.
    /// - Parameter findsOldest: whether the job that has been due for longest is looked for beyond
    ///   the bound.
    package func queues(
        after last: String, limit: Int, countingTo most: Int?, findsOldest: Bool
    ) async throws -> [QueueStatus] {
        try await pool.ask(
            ListQueues(after: last, limit: limit, most: most, findsOldest: findsOldest))
    }

    /// Queues that want a look, so many of a sort: their jobs are due, and no live worker
    /// subscribes; they are paused; they have held jobs.
    /// - Parameter last: only those behind this one.
    package func queuesInTrouble(
        _ most: Troubles, after last: String = ""
    ) async throws -> [QueueName] {
        try await pool.ask(ListTroubledQueues(most: most, after: last))
    }

    /// The sessions that live, and those that ended with jobs nobody has reclaimed yet.
    /// - Parameter ended: the latest that ended too.
    public func sessions(ended: Bool = false, limit: Int = 200) async throws -> [SessionStatus] {
        try await pool.ask(ListSessions(ended: ended, limit: limit))
    }

    /// Those behind the last of a list, for the one that follows.
    package func sessions(
        after last: TimedPlace<SessionID>?, limit: Int
    ) async throws -> [SessionStatus] {
        try await pool.ask(ListSessions(ended: true, limit: limit, after: last))
    }

    /// The sessions that subscribe to a queue, with what they run and have claimed of it alone.
    public func sessions(of queue: QueueName, limit: Int = 200) async throws -> [SessionStatus] {
        try await pool.execute(ListSessions(ended: false, limit: limit, queue: queue))
    }

    /// How many jobs are held, because their payload can't be read.
    public func heldJobs() async throws -> Int { try await pool.ask(CountHeld())[0] }

    /// The kinds that live workers run.
    public func liveKinds() async throws -> [JobKind] {
        try await pool.ask(ListLiveKinds())
    }

    /// The kinds whose due jobs wait for a newer release: live workers of their queues know them,
    /// and none reads their payload's version.
    public func unreadPayloads() async throws -> [UnreadPayloads] {
        try await pool.ask(ListUnread())
    }

    /// What decides whether the database keeps its promises.
    public func health() async throws -> DatabaseHealth {
        try await pool.ask(ReadHealth())[0]
    }

    /// Transactions that keep the server from cleaning up, the oldest first.
    public func openSnapshots(olderThan age: Duration) async throws -> [OpenSnapshot] {
        try await pool.ask(ListOpenSnapshots(age: age))
    }

    /// How many jobs match, by state, kind and queue.
    /// - Parameter most: so many are counted at most, whichever are found first; nil: all.
    public func count(_ filter: JobFilter, upTo most: Int? = nil) async throws -> [JobCount] {
        try await pool.ask(CountJobs(filter: filter, most: most))
    }

    /// How many jobs match, up to a bound.
    package func total(_ filter: JobFilter, upTo most: Int) async throws -> Int {
        guard let queue = filter.onlyQueue else {
            return try await count(filter, upTo: most).reduce(0) { $0 + $1.count }
        }
        return try await pool.ask(CountQueue(queue: queue, most: most))[0]
    }

    /// The generations of a key and what became of each, the newest first.
    public func key(_ key: String, of kind: JobKind, limit: Int = 50) async throws -> KeyStory {
        try await self.key(key, of: kind, before: nil, limit: limit)
    }

    /// Those before the last of a list, for the one that follows.
    package func key(
        _ key: String, of kind: JobKind, before last: Int64?, limit: Int
    ) async throws -> KeyStory {
        let (subjects, jobs) = try await withRemedy {
            try await pool.pipeline(
                ReadSubject(kind: kind, key: key),
                ListKeyJobs(kind: kind, key: key, limit: limit, before: last))
        }
        return KeyStory(subject: subjects.first, jobs: jobs)
    }

    /// What a queue's unfinished jobs are doing, by kind.
    /// - Parameter most: how many of those that wait are counted, in the order in which they start,
    ///   1 to 100,000; nil: all. Where there are more (``QueueKind/pendingIsAtLeast``), kinds of
    ///   jobs behind these are missing.
    public func kinds(
        of queue: QueueName, countingTo most: Int? = nil
    ) async throws -> [QueueKind] {
        try await pool.ask(ListQueueKinds(queue: queue, most: most))
    }

    public func running(in queue: QueueName) async throws -> Int {
        try await pool.ask(CountRunning(queue: queue))[0]
    }

    /// The runs of a session, the oldest first.
    public func runs(of session: SessionID) async throws -> [SessionRun] {
        try await pool.ask(ListSessionRuns(session: session))
    }

    /// Those behind the last of a list, for the one that follows.
    package func runs(
        of session: SessionID, after last: Int64?, limit: Int
    ) async throws -> [SessionRun] {
        try await pool.ask(ListSessionRuns(session: session, after: last, limit: limit))
    }

    /// What became of the jobs of the last stretch of time, by queue and kind.
    public func statistics(
        since: Duration, queue: QueueName? = nil
    ) async throws -> [KindStatistics] {
        try await pool.ask(ReadStatistics(since: since, queue: queue))
    }

    /// The same of all queues, of this many pages of history at most, so that it takes no longer
    /// however many there are; nil: of all.
    package func statistics(
        since: Duration, readingAtMost pages: Int?
    ) async throws -> SampledStatistics {
        if let pages {
            let rows = try await pool.ask(SampleStatistics(since: since, pages: pages))
            if !rows[0].isWhole {
                return SampledStatistics(
                    kinds: rows.compactMap(\.kind), share: rows[0].share, isWhole: false)
            }
        }
        // So little that the rest can be had, too.
        return SampledStatistics(kinds: try await statistics(since: since), share: 1, isWhole: true)
    }

    /// Counters that grow; two readings make rates.
    public func activity() async throws -> Activity { try await pool.ask(ReadActivity())[0] }

    /// How long the oldest waiting job of each queue has waited.
    public func oldestDue() async throws -> [QueueWait] {
        try await pool.ask(ListOldestDue())
    }

    /// The hot tables, the one with the most dead rows first.
    public func tables() async throws -> [TableHealth] { try await pool.ask(ReadTables()) }

    /// What should have happened by now, and has not.
    public func overdue() async throws -> Overdue { try await pool.ask(ReadOverdue())[0] }

    /// Jobs that wait for other jobs, all of which are over for more than a minute: nobody lets
    /// them go. Of the thousand that wait longest.
    package func unsettled() async throws -> [JobID] { try await pool.ask(ReadUnsettled()) }

    /// Whether the database's user may do what operators do.
    public func mayOperate() async throws -> Bool { try await pool.ask(AskMayOperate())[0] }

    /// What nobody can handle as it stands, and all others pass over.
    public func unusable() async throws -> Unusable { try await pool.ask(ReadUnusable())[0] }
}
