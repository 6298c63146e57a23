/// Which database the jobs of a queue go to, for a producer of several: each is a whole queue of
/// its own, with workers, coordinator, keys and generations of its own.
///
/// Every job goes by its queue, so all jobs of a key have to be of queues that lead to the same
/// database: a key supersedes within one alone. Nothing is written to two databases at once.
public struct QueueRoutes: Sendable {
    private let clients: [TenureClient]
    private let places: [QueueName: Int]
    /// Where those go that nothing is said of.
    private let others: Int?

    /// - Parameters:
    ///   - clients: one for each queue; the same one for several, where they share a database.
    ///   - others: for every other queue; nil: such jobs are refused.
    public init(_ clients: [QueueName: TenureClient], others: TenureClient? = nil) {
        var (all, places): ([TenureClient], [QueueName: Int]) = ([], [:])
        func place(of client: TenureClient) -> Int {
            if let place = all.firstIndex(where: { $0.pool === client.pool }) { return place }
            all.append(client)
            return all.count - 1
        }
        for (queue, client) in clients { places[queue] = place(of: client) }
        self.others = others.map(place)
        (self.clients, self.places) = (all, places)
    }

    /// Whose transaction a job of the queue can go with, and who knows of its end.
    /// - Throws: `TenureError` with `.invalidJob` for a queue that leads nowhere.
    public func client(for queue: QueueName) throws -> TenureClient {
        clients[try place(of: queue)]
    }

    /// As `TenureClient.enqueue(_:_:options:whenFull:)`, to the database of the job's queue.
    /// - Throws: what that throws; `TenureError` with `.invalidJob` for a queue that leads nowhere.
    @discardableResult
    public func enqueue<J: Job>(
        _ job: J, _ mode: KeyMode? = nil, options: EnqueueOptions = EnqueueOptions(),
        whenFull: WhenFull = .fail
    ) async throws -> EnqueuedJob {
        try await enqueue([NewJob(job, mode, options: options)], whenFull: whenFull)[0]
    }

    /// Many jobs in one transaction, all of them or none.
    /// - Throws: what `TenureClient.enqueue(_:whenFull:)` throws; `TenureError` with `.invalidJob`,
    ///   before anything is written, where they lead to more than one database, which no
    ///   transaction spans, or nowhere.
    @discardableResult
    public func enqueue(
        _ jobs: [NewJob], whenFull: WhenFull = .fail
    ) async throws -> [EnqueuedJob] {
        guard let first = jobs.first else { return [] }
        let place = try place(of: first.queue)
        for job in jobs {
            guard try self.place(of: job.queue) == place else {
                throw TenureError(
                    .invalidJob,
                    "jobs of the queues \(first.queue) and \(job.queue) go to two databases, and "
                        + "are not enqueued in one transaction: enqueue them apart")
            }
        }
        return try await clients[place].enqueue(jobs, whenFull: whenFull)
    }

    private func place(of queue: QueueName) throws -> Int {
        guard let place = places[queue] ?? others else {
            throw TenureError(
                .invalidJob,
                "the queue \(queue) has no route: name it in QueueRoutes, or give `others`")
        }
        return place
    }
}
