import Tenure
import TenureFoundation
import TenureWorker
import Web

/// One round over all sites whose items are due: a bite in all, a turn for each, and of a queue
/// with a capacity no more than a half. What is left is due in the next round.
struct RefetchRound: Sendable {
    let configuration: ContentConfiguration
    let pool: PostgresPool
    let context: JobContext

    /// Items of one round: a hundredth of a second of a queue's work, ten minutes of a host's.
    static let bite = 1000
    /// Bites of items that were there before their site, in one round.
    private static let mostEnrolments = 20
    private var left = RefetchRound.bite
    private var rooms: [QueueName: Int] = [:]

    init(configuration: ContentConfiguration, pool: PostgresPool, context: JobContext) {
        self.configuration = configuration
        self.pool = pool
        self.context = context
    }

    /// A site that can't be served keeps no other: its row says why.
    mutating func run() async throws {
        var failure: (any Error)?
        for site in try await pool.execute(ListRefetchedSites()) {
            try context.checkRight()
            if left == 0 { break }
            do {
                let why = try await serve(site)
                _ = try await pool.execute(NoteRefetch(site: site, why: why))
            } catch let error as ContentError {
                _ = try await pool.execute(NoteRefetch(site: site, why: "\(error)"))
            } catch {
                try context.checkRight()
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// - Returns: why not all of it could be done.
    private mutating func serve(_ id: UUID) async throws -> String? {
        guard let row = try await pool.execute(ReadRefetchedSite(id: id)).first else { return nil }
        let site = try RefetchedSite(row)
        try await enrol(site)
        if site.wantsDiscovery { try await discover(site) }
        let room = try await room(in: site.queue)
        if room <= 0 { return "queue \(site.queue) is full; the items wait for room" }
        let waiting = try await pool.execute(CountEnqueued(site: id)).first ?? 0
        let most = min(left, room, turn * 2 - waiting, turn)
        if most <= 0 { return nil }
        return try await enqueue(ListDue(site: id, most: most), of: site)
    }

    /// What a host's lane lets through in a round.
    private var turn: Int {
        let pause = configuration.hostInterval
        guard pause > .zero else { return Self.bite }
        // Bounded: by a bite.
        return Int(min(max(ContentRefetch.interval / pause, 1), Double(Self.bite)))
    }

    private mutating func room(in queue: QueueName) async throws -> Int {
        if let known = rooms[queue] { return known }
        let room = try await context.client.room(in: queue).map { room in
            // The other half is for those who wait for what they ask.
            max(1, room.capacity / 2) - room.pending
        }
        rooms[queue] = room ?? .max
        return room ?? .max
    }

    private func enrol(_ site: RefetchedSite) async throws {
        var isEnrolled = site.isEnrolled
        for _ in 0..<Self.mostEnrolments where !isEnrolled {
            try context.checkRight()
            let (_, ends) = try await pool.pipeline(PlanEnrolment(), EnrolItems(site: site.id))
            isEnrolled = ends.first ?? true
        }
    }

    // MARK: Jobs

    /// The jobs first, and by their keys: a round that dies in between finds them there.
    private mutating func enqueue(_ due: ListDue, of site: RefetchedSite) async throws -> String? {
        var jobs: [NewJob] = []
        var ids: [UUID] = []
        let rows = try await pool.execute(due)
        for (place, row) in rows.enumerated() {
            do {
                let delay = ContentRefetch.interval * place / rows.count
                jobs.append(try job(for: row, of: site, after: delay))
                ids.append(row.id)
            } catch is ContentError, is TenureError {
                _ = try await pool.execute(SetItemAside(id: row.id))
            }
        }
        if jobs.isEmpty { return nil }
        try context.checkRight()
        do {
            try await context.client.enqueue(jobs)
        } catch let error as TenureError where error.code == .queueFull {
            rooms[site.queue] = 0
            return "\(error)"
        }
        _ = try await pool.execute(NoteEnqueued(ids: ids))
        left -= jobs.count
        if let room = rooms[site.queue], room < .max { rooms[site.queue] = room - jobs.count }
        return nil
    }

    private func job(
        for row: ListDue.Row, of site: RefetchedSite, after delay: Duration
    ) throws -> NewJob {
        let url = try CheckableURL.parse(row.url)
        let fetch = ContentFetch(refetching: url.href, mode: row.mode)
        var options = fetch.options(configuration)
        options.queue = site.queue
        options.priority = ContentPriority.refetch
        options.runTime = .after(delay)
        // What fails now is due again soon enough.
        options.maxAttempts = 3
        return try NewJob(fetch, options: options)
    }

    private func discover(_ site: RefetchedSite) async throws {
        let job = ContentDiscovery(site.id)
        var options = EnqueueOptions()
        options.queue = site.queue
        options.lane = configuration.lane(of: site.url.href)
        try context.checkRight()
        do {
            try await context.client.enqueue(job, options: options)
        } catch let error as TenureError where error.code == .queueFull {
            return
        }
        _ = try await pool.execute(NoteDiscovery(site: site.id))
    }
}
