import Tenure
import TenureFoundation

/// What the end of a run does to lanes, as a field of `also` in `tenure.ending`.
enum LaneChange {
    /// - Returns: nil where it does nothing.
    static func field(of outcome: JobOutcome, queue: QueueName) throws -> String? {
        if case .moved(let job) = outcome.way { return try move(job) }
        guard let hold = outcome.hold else { return nil }
        try JobLimits.check(name: hold.lane, of: "lane", longest: JobLimits.longestKey)
        let pause = min(max(hold.pause, .zero), RunEnding.longestDelay).postgresInterval
        var fields = [
            "\"queue\":\(try quoted(queue.rawValue))", "\"lane\":\(try quoted(hold.lane))",
            "\"for\":\(try quoted(pause))",
        ]
        if let reason = hold.reason {
            fields.append("\"reason\":\(try quoted(reason.storable))")
        }
        return "\"hold\":{\(fields.joined(separator: ","))}"
    }

    private static func move(_ job: NewJob) throws -> String? {
        guard let lane = job.options.lane else { return nil }
        let fields = [
            "\"lane\":\(try quoted(lane.name))", "\"max_running\":\(lane.maxRunning)",
            "\"min_interval\":\(try quoted(lane.minInterval.postgresInterval))",
            "\"burst\":\(lane.burst)", "\"weight\":\(lane.weight)",
            "\"strict\":\(lane.order == .strict)",
            "\"payload\":\(job.payload)", "\"payload_version\":\(job.payloadVersion)",
        ]
        return "\"move\":{\(fields.joined(separator: ","))}"
    }

    private static func quoted(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }
}
