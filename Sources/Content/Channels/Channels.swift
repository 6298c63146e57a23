public import Tenure
public import TenureFoundation

/// The channels that notices go to.
public struct Channels: Sendable {
    private let pool: PostgresPool
    private let client: TenureClient
    private let whom: String

    /// - Parameter whom: who adds and removes them, for those who look later.
    public init(client: TenureClient, pool: PostgresPool, as whom: String) {
        self.client = client
        self.pool = pool
        self.whom = whom
    }

    /// By name.
    public func list() async throws -> [Channel] { try await pool.execute(ListChannels()) }

    /// - Throws: `ContentError` with `.alreadyThere`.
    public func add(_ channel: NewChannel) async throws {
        let added = try await pool.change(
            AddChannel(channel: channel, whom: whom), noted: action("add", channel.name))
        guard !added.isEmpty else {
            throw ContentError(
                .alreadyThere,
                "there is a channel \(channel.name) already; remove it first, or give another name")
        }
    }

    /// What wasn't sent there isn't sent any more.
    /// - Returns: the URLs of the sites that told it.
    /// - Throws: `ContentError` with `.unknownChannel`.
    public func remove(_ name: String) async throws -> [String] {
        try await pool.transaction(isolation: .readCommitted) { transaction in
            // Sites first, as everywhere; those that come meanwhile hold the channel.
            let sites = try await transaction.execute(LeaveChannel(channel: name))
            guard try await !transaction.execute(RemoveChannel(name: name)).isEmpty else {
                throw Self.unknown(name)
            }
            let late = try await transaction.execute(LeaveChannel(channel: name))
            _ = try await transaction.execute(ForgetDeliveries(channel: name))
            _ = try await transaction.execute(action("remove", name))
            return (sites + late).sorted()
        }
    }

    /// Sends there again, what hasn't arrived first: also to one that is not paused. In bites, each
    /// a transaction of its own: what breaks off goes on when it is called again.
    /// - Returns: whether it was paused, and how many notices are sent.
    /// - Throws: `ContentError` with `.unknownChannel`.
    public func resume(_ name: String) async throws -> (wasPaused: Bool, notices: Int) {
        // Before all else: what is enqueued for a paused one would come to rest.
        guard
            let was = try await pool.change(
                ResumeChannel(name: name), noted: action("resume", name)
            ).first
        else {
            throw Self.unknown(name)
        }
        var (last, count) = (Self.first, 0)
        while true {
            let unsent = try await pool.transaction(isolation: .readCommitted) { [last] in
                try await sendNext(name, after: last, in: $0)
            }
            count += unsent.count
            guard let end = unsent.last, unsent.count == Self.bite else { return (was, count) }
            last = end
        }
    }

    /// As many as are felt by nobody.
    private static let bite = 500
    /// Before all that are.
    private static let first = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private func sendNext(
        _ name: String, after last: UUID, in transaction: PostgresTransaction
    ) async throws -> [UUID] {
        let unsent = try await transaction.execute(
            ListUnsent(channel: name, last: last, limit: Self.bite))
        try client.enqueue(
            unsent.map { try NoticeSend($0.0, to: name).jobNow(in: $0.1) }, in: transaction)
        return unsent.map(\.0)
    }

    /// Sends a notice that tells of nothing, by a worker, as all are sent.
    /// - Returns: its id: ``arrival(of:at:)`` says what became of it.
    /// - Throws: `ContentError` with `.unknownChannel`.
    public func test(_ name: String, queue: QueueName = .default) async throws -> UUID {
        let id = JobID().uuid
        let body = try Notice.encode(.test(id))
        try await pool.transaction(isolation: .readCommitted) { transaction in
            let (_, names) = try await transaction.pipeline(
                AddNotice(id: id, site: nil, check: nil, body: body),
                AddDeliveries(notice: id, channels: [name], queue: queue))
            guard !names.isEmpty else { throw Self.unknown(name) }
            try client.enqueue([try NoticeSend(id, to: name).job(in: queue)], in: transaction)
        }
        return id
    }

    /// What became of a notice so far.
    public enum Arrival: Sendable {
        case sent
        /// Not yet; what kept it the last time.
        case unsent(String?)
    }

    /// - Throws: `ContentError` with `.unknownChannel`.
    public func arrival(of notice: UUID, at name: String) async throws -> Arrival {
        let state = ReadDeliveryState(notice: notice, channel: name)
        guard let found = try await pool.execute(state).first else { throw Self.unknown(name) }
        return found.isSent ? .sent : .unsent(found.error)
    }

    private func action(_ verb: String, _ name: String) -> NoteAction {
        Doer(whom, from: client.source).action(verb, "channel", ["name": .text(name)])
    }

    private static func unknown(_ name: String) -> ContentError {
        ContentError(
            .unknownChannel,
            "there is no channel \"\(name.storable.prefix(200))\"; look with: tenure notify list")
    }
}
