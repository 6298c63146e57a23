// docs/decisions/lanes.md

public import TenurePostgres

/// Limits and holds of a queue's lanes: for operators, and for programs that know more of a lane
/// than whoever enqueues into it. Every change tells the workers at once.
public struct Lanes: Sendable {
    let client: TenureClient
    let queue: QueueName

    public init(client: TenureClient, queue: QueueName = .default) {
        self.client = client
        self.queue = queue
    }

    /// By name.
    /// - Parameters:
    ///   - prefix: what the names begin with.
    ///   - onlyBusy: those with jobs, a hold or limits that somebody set.
    public func list(
        prefix: String = "", onlyBusy: Bool = false, limit: Int = 1000
    ) async throws -> [LaneStatus] {
        try await client.pool.ask(
            ListLanes(queue: queue, names: .prefix(prefix), onlyBusy: onlyBusy, limit: limit))
    }

    /// Those behind the last of a list, for the one that follows.
    package func list(
        prefix: String, onlyBusy: Bool, after last: String?, limit: Int
    ) async throws -> [LaneStatus] {
        try await client.pool.ask(
            ListLanes(
                queue: queue, names: .prefix(prefix), onlyBusy: onlyBusy, limit: limit,
                after: last))
    }

    /// The queues that have lanes, by name.
    package static func queues(limit: Int, _ client: TenureClient) async throws -> [QueueName] {
        try await client.pool.ask(ListLaneQueues(limit: limit))
    }

    /// - Returns: nil when no job named it and nobody set or held it.
    public func status(of lane: String) async throws -> LaneStatus? {
        try await client.pool.ask(
            ListLanes(queue: queue, names: .one(lane), limit: 1)
        ).first
    }

    /// Sets limits for good: enqueues leave them as they are, and the lane is never forgotten. From
    /// the return on, no more than that start; those that run go on.
    /// - Parameters:
    ///   - maxRunning: nil: as it is, or 1 where the lane is new.
    ///   - minInterval: 365 days at most; nil: as it is, or none where the lane is new.
    ///   - burst: how many may start at once after a quiet time, 1 to 10,000. Nil: one, where an
    ///     interval is given, else as it is.
    ///   - weight: 1 to 100; nil: as it is, or 1 where the lane is new.
    ///   - order: nil: as it is, or free where the lane is new. Of what runs when it becomes strict
    ///     nothing is stopped.
    ///   - whom: who does it, for those who look later.
    public func set(
        _ lane: String, maxRunning: Int?, minInterval: Duration?, burst: Int? = nil,
        weight: Int? = nil, order: Lane.Order? = nil, by whom: String
    ) async throws {
        try check(lane)
        if let maxRunning {
            try JobLimits.check(maxRunning, of: "maxRunning", in: 1...1_000_000)
        }
        if let minInterval { try JobLimits.check(interval: minInterval, of: "minInterval") }
        if let burst { try JobLimits.check(burst, of: "burst", in: 1...Lane.longestBurst) }
        if let weight { try JobLimits.check(weight, of: "weight", in: 1...Lane.greatestWeight) }
        _ = try await client.pool.ask(
            SetLane(
                queue: queue, lane: lane, maxRunning: maxRunning, minInterval: minInterval,
                burst: burst, weight: weight, order: order, doer: doer(whom)))
        await wakeUp()
    }

    /// Sets a rate for good, as above.
    /// - Parameter maxRunning: nil: as it is, or 1 where the lane is new.
    public func set(
        _ lane: String, maxRunning: Int?, rate: Rate, by whom: String
    ) async throws {
        try JobLimits.check(rate, of: "rate")
        try await set(
            lane, maxRunning: maxRunning, minInterval: rate.interval, burst: rate.burst, by: whom)
    }

    /// Makes the pause between any two starts at least as long, 365 days at most, where nobody has
    /// set the limits.
    public func slow(_ lane: String, to minInterval: Duration) async throws {
        let bounded = min(max(minInterval, .zero), JobLimits.longestInterval)
        _ = try await client.pool.ask(
            SlowLane(queue: queue, lane: lane, minInterval: bounded))
    }

    /// No job of the lane starts for a while; those that run go on. The latest end of several holds
    /// counts. Jobs that wait for it cost nothing.
    /// - Parameter reason: for those who look later: 1024 characters at most.
    /// - Throws: `TenureError` with `.invalidJob` for a name or a reason that can't be kept.
    public func hold(
        _ lane: String, for pause: Duration, reason: String? = nil, by whom: String? = nil
    ) async throws {
        _ = try await client.pool.ask(try hold(lane, pause, reason, whom))
    }

    /// The same, from the commit of the caller's transaction on. It locks nothing.
    public func hold(
        _ lane: String, for pause: Duration, reason: String? = nil, by whom: String? = nil,
        in transaction: PostgresTransaction
    ) async throws {
        let hold = try hold(lane, pause, reason, whom)
        _ = try await withRemedy { try await transaction.execute(hold) }
    }

    /// Ends all holds of a lane.
    /// - Parameters:
    ///   - whom: who does it, for those who look later; nil: the database's login.
    ///   - reason: why, for the audit log.
    /// - Returns: whether it was on hold.
    @discardableResult
    public func release(
        _ lane: String, by whom: String? = nil, because reason: String? = nil
    ) async throws -> Bool {
        var doer = doer(whom)
        doer.reason = reason
        let wasHeld = try await client.pool.ask(
            ReleaseLane(queue: queue, lane: lane, doer: doer))[0]
        if wasHeld { await wakeUp() }
        return wasHeld
    }

    private func hold(
        _ lane: String, _ pause: Duration, _ reason: String?, _ whom: String?
    ) throws -> HoldLane {
        try check(lane)
        return HoldLane(
            queue: queue, lane: lane, pause: Self.clamped(pause),
            reason: try reason.flatMap { try ReasonText.checked($0) }, doer: doer(whom))
    }

    private func doer(_ whom: String?) -> Doer { Doer(whom, from: client.source) }

    private func check(_ lane: String) throws {
        try JobLimits.check(name: lane, of: "lane", longest: JobLimits.longestKey)
    }

    /// No time is further ahead than PostgreSQL's clock can bear.
    private static func clamped(_ pause: Duration) -> Duration {
        min(max(pause, .zero), .seconds(10 * 365 * 86_400))
    }

    private func wakeUp() async {
        await client.notifier.send([.available(in: queue)])
    }
}
