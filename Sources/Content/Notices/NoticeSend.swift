public import Tenure
public import TenureFoundation

/// Sends a notice to one channel: at least once, under the same id however often.
public struct NoticeSend: Job {
    public static let kind: JobKind = "notice-send"
    /// Tried for some two days in all; what hasn't arrived then waits for `tenure notify resume`.
    public static let options = JobOptions<Self>(
        priority: ContentPriority.notice, retry: .exponential(maxAttempts: 16, first: .seconds(5)),
        timeout: .seconds(120), key: { .keeping($0.key) })

    public let notice: UUID
    public let channel: String

    init(_ notice: UUID, to channel: String) {
        self.notice = notice
        self.channel = channel
    }

    /// One job for each notice and channel.
    public var key: String { Self.key(of: notice, to: channel) }

    public static func key(of notice: UUID, to channel: String) -> String {
        "\(notice.uuidString.lowercased()) \(channel)"
    }

    func job(in queue: QueueName) throws -> NewJob { try job(in: queue, nil) }

    /// In place of one that waits for its next attempt.
    func jobNow(in queue: QueueName) throws -> NewJob { try job(in: queue, .superseding(key)) }

    private func job(in queue: QueueName, _ mode: KeyMode?) throws -> NewJob {
        try NewJob(self, mode, options: EnqueueOptions(queue: queue))
    }
}
