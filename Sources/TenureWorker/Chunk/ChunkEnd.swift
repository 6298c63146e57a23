import Tenure

/// What one try at a chunk's commit came to.
struct ChunkEnd: Sendable {
    enum Way: Sendable {
        /// Those that were not late, each with what became of its job.
        case committed([RunRef: RunOutcome])
        /// Nothing is written, because of those that are late or had to leave.
        case undone
        /// Nothing is written, and that says nothing of any of them: a deadlock, a connection.
        case interrupted
        /// Nothing is written: something of one of them was refused.
        case refused
        /// Whether it is written, nobody could find out.
        case unknown(any Error)
    }
    let way: Way
    var late: LateRuns = [:]
    /// What failed. Of one of them, nobody knows of whom: no other is told more than its name.
    var cause: (any Error)?
    /// Whom to tell of what is committed, after all members have been told.
    var wakeups: [Wakeup] = []

    /// Who goes on with whom. Together twice, then each alone; after a refusal by halves, until the
    /// one that is to blame is alone: what it is told then is its own.
    func parts<Member>(of rest: [Member], after rounds: Int) -> [(members: [Member], rounds: Int)] {
        if rest.isEmpty { return [] }
        if rest.count == 1 { return [(rest, rounds)] }
        switch way {
        case .committed, .unknown: return []
        case .undone, .interrupted:
            if rounds < Self.mostRounds { return [(rest, rounds + 1)] }
            return rest.map { ([$0], rounds) }
        case .refused:
            let half = rest.count / 2
            return [(Array(rest[..<half]), rounds), (Array(rest[half...]), rounds)]
        }
    }

    private static let mostRounds = 2
}
