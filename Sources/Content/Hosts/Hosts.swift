public import Tenure
import Web

/// The hosts that content is fetched from, for operators: limits, holds, and which are one's own.
/// Each host is a lane of the queue; a queue with jobs of its own has lanes of its own.
public struct Hosts: Sendable {
    private let pool: PostgresPool
    private let lanes: Lanes
    private let source: ActionSource

    public init(client: TenureClient, pool: PostgresPool, queue: QueueName = .default) {
        self.pool = pool
        source = client.source
        lanes = Lanes(client: client, queue: queue)
    }

    /// By name.
    /// - Parameter onlyBusy: those with jobs, a hold or limits that somebody set.
    public func list(onlyBusy: Bool = false, limit: Int = 1000) async throws -> [HostStatus] {
        try await list(onlyBusy: onlyBusy, after: nil, limit: limit)
    }

    /// Those behind the last of a list, for the one that follows.
    package func list(
        onlyBusy: Bool, after last: String?, limit: Int
    ) async throws -> [HostStatus] {
        let own = Set(try await pool.execute(ListOwnHosts()))
        return try await lanes.list(
            prefix: HostLane.prefix, onlyBusy: onlyBusy, after: last.map { HostLane.prefix + $0 },
            limit: limit
        ).map { lane in
            let host = String(lane.name.dropFirst(HostLane.prefix.count))
            return HostStatus(host: host, isOwn: own.contains(host), lane: lane)
        }
    }

    /// - Returns: nil for a host that nothing is known of.
    /// - Throws: `ContentError` with `.badOption` for what is no host.
    public func status(of host: String) async throws -> HostStatus? {
        let host = try Self.parse(host)
        let own = try await pool.execute(ListOwnHosts())
        let lane = try await lanes.status(of: HostLane.prefix + host)
        guard lane != nil || own.contains(host) else { return nil }
        return HostStatus(host: host, isOwn: own.contains(host), lane: lane)
    }

    /// Sets a host's limits, for good.
    /// - Parameters:
    ///   - isOwn: the operator's own is asked as fast as its limits say, without a look at its
    ///     robots.txt; nil: as it is.
    ///   - maxRunning: nil: as it is; for a new own host 10, for a new foreign one 2.
    ///   - minInterval: nil: as it is; for a new own host none, for a new foreign one a second.
    public func set(
        _ host: String, maxRunning: Int?, minInterval: Duration?, isOwn: Bool?, by whom: String
    ) async throws {
        let host = try Self.parse(host)
        let name = HostLane.prefix + host
        let usual = ContentConfiguration()
        let isNew = try await lanes.status(of: name)?.maxRunning == nil
        let becomesOwn = isOwn ?? false
        try await lanes.set(
            name,
            maxRunning: maxRunning
                ?? (becomesOwn ? Self.ownRequests : isNew ? usual.requestsPerHost : nil),
            minInterval: minInterval
                ?? (becomesOwn ? .zero : isNew ? usual.hostInterval : nil),
            by: whom)
        guard let isOwn else { return }
        if isOwn {
            _ = try await pool.change(
                OwnHost(host: host, whom: whom), noted: action("own", host, whom))
        } else {
            _ = try await pool.change(
                DisownHost(host: host), noted: action("disown", host, whom))
        }
    }

    /// Asks a host for nothing for a while; what is under way goes on.
    public func hold(
        _ host: String, for pause: Duration, reason: String?, by whom: String
    ) async throws {
        try await lanes.hold(
            HostLane.prefix + Self.parse(host), for: pause, reason: reason, by: whom)
    }

    /// Ends a hold, the operator's or one that the host asked for.
    /// - Parameter whom: who does it, for those who look later; nil: the database's login.
    /// - Returns: whether it was on hold.
    public func release(_ host: String, by whom: String? = nil) async throws -> Bool {
        let host = try Self.parse(host)
        let asked = try await !pool.change(
            ReleaseHost(host: host), noted: action("release", host, whom)
        ).isEmpty
        let wasHeld = try await lanes.release(HostLane.prefix + host, by: whom)
        return asked || wasHeld
    }

    private func action(_ verb: String, _ host: String, _ whom: String?) -> NoteAction {
        Doer(whom, from: source).action(verb, "host", ["name": .text(host)])
    }

    private static let ownRequests = 10

    /// In the form that lanes are named by: `bücher.example` is `xn--bcher-kva.example`.
    private static func parse(_ text: String) throws -> String {
        guard !text.contains("/"), let host = WebURL("http://\(text)/")?.host,
            WebURL("http://\(text)/")?.port == nil
        else {
            throw ContentError(
                .badOption,
                "host is \"\(text.storable.prefix(200))\"; give a name or an address "
                    + "such as example.org, without scheme, port and path")
        }
        return host
    }
}

/// A host as operators see it.
public struct HostStatus: Sendable {
    public let host: String
    /// Whether it is the operator's own.
    public let isOwn: Bool
    /// Nil where no job has named the host in this queue so far.
    public let lane: LaneStatus?
}
