/// What has to end before a job may start. Give them in ``EnqueueOptions/after``.
public struct Predecessor: Hashable, Sendable {
    package enum Condition: Hashable, Sendable {
        case completed(JobID)
        case ended(JobID)
    }
    package let condition: Condition

    /// The job has completed. Where it ends otherwise (discarded, cancelled, superseded), whoever
    /// waits for it is cancelled, and so is who waits for that one in turn: the reason begins with
    /// `after:` and names the first of them and the way from there.
    public static func completed(_ job: JobID) -> Predecessor {
        Predecessor(condition: .completed(job))
    }

    /// The job has ended, in whatever way.
    public static func ended(_ job: JobID) -> Predecessor { Predecessor(condition: .ended(job)) }
}

extension [Predecessor] {
    /// As the database takes them; nil for none.
    var waitsJSON: String? {
        if isEmpty { return nil }
        let waits = map { predecessor in
            switch predecessor.condition {
            case .completed(let job): "{\"completed\":\"\(job)\"}"
            case .ended(let job): "{\"ended\":\"\(job)\"}"
            }
        }
        return "[" + waits.joined(separator: ",") + "]"
    }
}

extension JobLimits {
    /// How many jobs one may wait for.
    static let mostPredecessors = 10_000

    static func check(_ after: [Predecessor], _ mode: KeyMode?) throws {
        if after.isEmpty { return }
        try check(after.count, of: "after.count", in: 0...mostPredecessors)
        switch mode?.way {
        case .coalescing, .debounced:
            throw TenureError(
                .invalidJob,
                "the options say after, and the mode is \(mode?.way.rawValue ?? ""), whose jobs "
                    + "take the place of others that wait already; use superseding or keeping, or "
                    + "leave after out")
        case .superseding, .keeping, nil: break
        }
    }
}
