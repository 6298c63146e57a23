package import Tenure
import TenureFoundation

/// The tables, as far as the simulation needs them. Times are nanoseconds of the database's clock.
package struct JobRow {
    package enum State: String {
        case scheduled, available, retryable, waiting, held, running

        var isClaimable: Bool { self == .scheduled || self == .available || self == .retryable }
    }

    package let id: JobID
    package let kind: JobKind
    package let queue: QueueName
    package let key: String?
    package var generation: Int64?
    package var payload: String
    package var payloadVersion: Int16
    package var priority: Int16
    package var runAt: Int64
    package var createdAt: Int64
    package var state: State
    package var attempt = 0
    package var maxAttempts: Int
    package var runs = 0
    package var refunds = 0
    package var waitsForKey = false
    package var waitsForJobs = false
    /// Others wait for its end, which is to be written down.
    package var hasWaiters = false
    package var lane: String?
    package var fence: Int64?
    package var session: Int64?
    package var isEnding = false
    package var endingBy: String?
    package var holdReason: String?
    package var holdVersions: [String] = []
    package var retryOf: JobID?
    /// Of the row: every change makes a new one.
    var version = 0
    /// Grows with each that comes.
    var place = 0

    var subject: SubjectName? { key.map { SubjectName(kind: kind, key: $0) } }

    /// The claim's order within a priority.
    func isBefore(_ other: JobRow) -> Bool {
        runAt != other.runAt ? runAt < other.runAt : id.isBefore(other.id)
    }
}

package struct SubjectName: Hashable {
    package let kind: JobKind
    package let key: String

    func isBefore(_ other: SubjectName) -> Bool {
        (kind.rawValue, key) < (other.kind.rawValue, other.key)
    }
}

package struct SubjectRow {
    package var issued: Int64 = 0
    package var floor: Int64 = 0
    package var committed: Int64 = 0
    var version = 0
}

package struct HistoryRow {
    package let job: JobRow
    package let outcome: String
    package let attempt: Int
    package var result: String?
    package var reason: String?
    package var supersededBy: JobID?
    package var retriedAs: JobID?
    /// Nobody knew that its run had begun, and so there is no time of a claim.
    package var isUnbegun = false
}

package struct SessionRow {
    package let id: Int64
    package let lease: Duration
    package let release: String
    package var beat: Int64 = 0
    package var isOver = false
    package var isReclaimed = false
    package var hasDied = false
    /// It notes its runs before they begin; nil: all have begun that it has claimed.
    package var begun: [QueueName: (number: Int64, fences: [ClosedRange<Int64>])]?

    /// Whether a run of its has begun, as far as it has said.
    func hasBegun(_ job: JobRow) -> Bool {
        guard let begun else { return true }
        let fence = job.fence ?? 0
        return begun[job.queue]?.fences.contains { $0.contains(fence) } ?? false
    }
}

package struct QueueRow {
    package var isPaused = false
    package var maxRunning: Int?
    package var holders: [RunRef] = []
    package var keepsCompleted = true
}

package struct LaneRow {
    package var maxRunning: Int
    package var minInterval: Int64
    package var burst: Int64 = 1
    package var weight = 1
    package var isStrict = false
    package var nextAt: Int64
    /// Its place in the line of lanes.
    package var turnAt: Int64
    /// Had in a row, of its weight.
    package var turns = 0
    package var holders: [RunRef] = []
    /// The last job claimed, in order.
    package var past: JobRow?

    /// Whether a job comes after the last one claimed.
    func isBehind(_ job: JobRow) -> Bool {
        guard let past else { return true }
        return past.priority != job.priority ? past.priority < job.priority : past.isBefore(job)
    }

    /// A time further ahead than the burst can owe was written before the clock was set back.
    func isShut(at now: Int64) -> Bool {
        nextAt > now + minInterval * (burst - 1)
            && nextAt <= now + minInterval * burst + 1_000_000_000
    }

    private func isStale(at now: Int64) -> Bool { nextAt > now + minInterval * burst }

    /// How many may start, of a lane with an interval.
    func room(at now: Int64) -> Int {
        if nextAt <= now { return Int(burst) }
        if isStale(at: now) { return 1 }
        return Int(burst - (nextAt - now + minInterval - 1) / minInterval)
    }

    /// - Parameter share: what it gets at a turn.
    mutating func start(_ count: Int, of share: Int, at now: Int64) {
        turns += (count + share - 1) / share
        if minInterval == 0, turns < weight {
            nextAt = now
            return
        }
        turns = 0
        let base = nextAt <= now ? now : isStale(at: now) ? now + minInterval * (burst - 1) : nextAt
        nextAt = base + minInterval * Int64(count)
        turnAt = max(now, nextAt - minInterval * (burst - 1))
    }
}

package struct LaneName: Hashable {
    package let queue: QueueName
    package let name: String
}

package struct AttemptError {
    package let job: JobID
    package let fence: Int64
    package let attempt: Int
    package let code: String
}

extension JobID {
    /// The order of the bytes, as PostgreSQL compares ids.
    func isBefore(_ other: JobID) -> Bool {
        withUnsafeBytes(of: uuid.uuid) { mine in
            withUnsafeBytes(of: other.uuid.uuid) { mine.lexicographicallyPrecedes($0) }
        }
    }
}

extension Duration {
    package var wholeNanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
