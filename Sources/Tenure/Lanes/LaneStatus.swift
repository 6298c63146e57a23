public import TenureFoundation

/// A lane, its limits, and what holds its jobs back.
public struct LaneStatus: Sendable {
    public let name: String
    /// Nil where it is only on hold: no job has named it so far.
    public let maxRunning: Int?
    public let minInterval: Duration?
    /// How many may start at once after a quiet time.
    public let burst: Int?
    /// How many turns in a row it has among its queue's lanes.
    public let weight: Int?
    public let order: Lane.Order?
    /// In strict order: the job that has begun, doesn't run just now, and is not over. The others
    /// of the lane wait for its end.
    public let behind: JobID?
    /// Who set the limits; nil: whoever enqueued first.
    public let setBy: String?
    public let running: Int
    /// Due now.
    public let due: Int
    /// Pending with a run time ahead.
    public let later: Int
    /// The next start by its interval, if that lies ahead.
    public let opensAt: Date?
    public let heldUntil: Date?
    public let holdReason: String?
    /// The operator who holds it; nil: a job.
    public let heldBy: String?
}

extension LaneStatus: Encodable {
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "lane": name, "maxRunning": maxRunning, "minIntervalSeconds": minInterval?.inSeconds,
            "burst": burst, "weight": weight, "order": order, "behind": behind, "setBy": setBy,
            "running": running, "due": due, "later": later, "opensAt": opensAt,
            "heldUntil": heldUntil, "holdReason": holdReason, "heldBy": heldBy,
        ])
    }
}
