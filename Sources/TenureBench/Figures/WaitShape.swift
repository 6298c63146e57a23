import Tenure

/// How jobs wait for each other.
enum WaitShape: String, CaseIterable {
    /// Nobody waits: what the others are held against.
    case plain
    /// Many, and one that waits for all of them.
    case fanIn = "fan-in"
    /// One, and many that wait for it.
    case fanOut = "fan-out"
    /// Each waits for the one before it.
    case chain

    /// Who is waited for comes first, so that the jobs can be enqueued bit by bit.
    func jobs(_ count: Int) throws -> [NewJob] {
        switch self {
        case .plain: return try free(count)
        case .fanIn:
            let parts = try free(count - 1)
            return parts + [try job(after: parts[...])]
        case .fanOut:
            let first = try free(1)
            return try first + (1..<count).map { _ in try job(after: first[...]) }
        case .chain:
            var row: [NewJob] = []
            for _ in 0..<count { row.append(try job(after: row.suffix(1))) }
            return row
        }
    }

    /// Pairs of one that waits and one that is waited for.
    func edges(_ count: Int) -> Int { self == .plain ? 0 : count - 1 }

    private func free(_ count: Int) throws -> [NewJob] {
        try (0..<count).map { _ in try NewJob(BenchNoop()) }
    }

    private func job(after others: ArraySlice<NewJob>) throws -> NewJob {
        try NewJob(
            BenchNoop(), options: EnqueueOptions(after: others.map { .completed($0.id) }))
    }
}
