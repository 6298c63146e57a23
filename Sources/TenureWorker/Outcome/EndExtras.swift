import Tenure

/// What the end of a run does besides: `also` of `tenure.ending`, of `tenure.finish` and of
/// `tenure.finish_chunk`.
enum EndExtras {
    /// - Returns: nil where there is nothing.
    static func json(_ fields: [String]) -> String? {
        fields.isEmpty ? nil : "{\(fields.joined(separator: ","))}"
    }

    /// Those of a commit.
    /// - Throws: `TenureError` with `.invalidJob` for a lane whose name can't be.
    static func json(of outcome: JobOutcome, queue: QueueName) throws -> String? {
        let lane = try LaneChange.field(of: outcome, queue: queue)
        return json([lane, outcome.log.map(log)].compactMap(\.self))
    }

    static func log(_ lines: String) -> String { "\"log\":\(lines)" }
}
