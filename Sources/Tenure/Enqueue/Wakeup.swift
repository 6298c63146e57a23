package import TenureFoundation

/// A hint for workers. Everything works without: polling is the truth.
package struct Wakeup: Hashable, Sendable {
    /// Queues with something to claim; the payload is the queue.
    package static let available = "tenure_available"
    /// Runs whose right has ended: the payload is `key:KIND:KEY`, `kind:KIND` for many keys at
    /// once, `job:ID` or, for a batch that was cancelled or has ended, `batch:ID`. And between
    /// those who wait for a job's end and the workers: `wait:ID` and `end:ID`.
    package static let endings = "tenure_endings"

    package let channel: String
    package let payload: String

    package init(channel: String, payload: String) {
        self.channel = channel
        self.payload = payload
    }

    /// A queue has something to claim.
    package static func available(in queue: QueueName) -> Wakeup {
        Wakeup(channel: available, payload: queue.rawValue)
    }

    /// Runs of a key may have lost their right. A notification carries less than 8,000 bytes: a
    /// long key's is cut, and concerns all that begin alike.
    package static func ofKey(_ key: String, kind: JobKind) -> Wakeup {
        let name = "key:\(kind):\(key)"
        // Fewer bytes are fewer letters too, and those take longer to count.
        return Wakeup(
            channel: endings, payload: name.utf8.count <= 1000 ? name : String(name.prefix(1000)))
    }

    /// Runs of many keys of a kind may have lost their right.
    static func ofKind(_ kind: JobKind) -> Wakeup {
        Wakeup(channel: endings, payload: "kind:\(kind)")
    }

    /// The kind that a payload says so of.
    package static func kind(in payload: String) -> JobKind? {
        payload.hasPrefix("kind:") ? JobKind(String(payload.dropFirst(5))) : nil
    }

    /// So many keys of a kind are named one by one. A notification goes to every worker: past
    /// these it is cheaper if each looks after all of its runs of the kind.
    static let mostKeys = 16

    /// A running job was cancelled.
    static func ofJob(_ job: JobID) -> Wakeup {
        Wakeup(channel: endings, payload: "job:\(job)")
    }

    /// A batch was cancelled, or has ended.
    package static func ofBatch(_ batch: UUID) -> Wakeup {
        Wakeup(channel: endings, payload: "batch:\(batch.uuidString.lowercased())")
    }

    /// Somebody waits for a job's end.
    static func ofWait(_ job: JobID) -> Wakeup {
        Wakeup(channel: endings, payload: "wait:\(job)")
    }

    /// A job has ended that somebody waits for.
    package static func ofEnd(_ job: JobID) -> Wakeup {
        Wakeup(channel: endings, payload: "end:\(job)")
    }

    /// The job that a payload says is waited for.
    package static func awaited(in payload: String) -> JobID? {
        payload.hasPrefix("wait:") ? JobID(String(payload.dropFirst(5))) : nil
    }

    package static func after(_ jobs: [NewJob]) -> [Wakeup] {
        var keys: [JobKind: Set<String>] = [:]
        for job in jobs {
            if let mode = job.mode, mode.way == .superseding,
                keys[job.kind].map({ $0.count <= mostKeys }) ?? true
            {
                keys[job.kind, default: []].insert(mode.key)
            }
        }
        return jobs.queues.map(available(in:))
            + keys.flatMap { kind, keys in
                keys.count > mostKeys ? [ofKind(kind)] : keys.map { ofKey($0, kind: kind) }
            }
    }
}
