/// What has to end before a job may start. Give them in ``EnqueueOptions/after``.
public struct Predecessor: Hashable, Sendable {
    package enum Condition: Hashable, Sendable {
        case completed(JobID)
        case ended(JobID)
        case key(JobKind, String)
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

    /// The key has committed the newest generation that it has as the wait is written, or a newer
    /// one: whichever of its jobs does so, though that one be superseded meanwhile. One that has
    /// been committed already is there.
    ///
    /// Where no unfinished job of the key is left that could do so, and none has, whoever waits is
    /// cancelled, as with ``completed(_:)``: at once, if the newest was discarded or cancelled
    /// before. A key of which nothing is known is refused; so are the job's own key, and a wait
    /// that would close a circle by way of keys, with its jobs named.
    ///
    /// A key that nobody has touched for as long as the coordinator keeps idle ones
    /// (`keepIdleSubjects`, a day), and that no unfinished job has, is forgotten: a wait for it is
    /// refused then, although it had committed. Whoever waits nightly for a key that changes more
    /// seldom sets that longer.
    public static func key(_ kind: JobKind, _ key: String) -> Predecessor {
        Predecessor(condition: .key(kind, key))
    }

    /// The same for a type's kind.
    public static func key<J: Job>(_ type: J.Type, _ key: String) -> Predecessor {
        .key(J.kind, key)
    }
}

extension [Predecessor] {
    /// As the database takes them; nil for none.
    var waitsJSON: String? {
        if isEmpty { return nil }
        let waits = map { predecessor in
            switch predecessor.condition {
            case .completed(let job): "{\"completed\":\"\(job)\"}"
            case .ended(let job): "{\"ended\":\"\(job)\"}"
            case .key(let kind, let key):
                "{\"key\":{\"kind\":\(JobsJSON.quoted(kind.rawValue)),"
                    + "\"key\":\(JobsJSON.quoted(key))}}"
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
        for case .key(let kind, let key) in after.map(\.condition) {
            try check(name: kind.rawValue, of: "after's kind", longest: longestName)
            try check(name: key, of: "after's key", longest: longestKey)
        }
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
