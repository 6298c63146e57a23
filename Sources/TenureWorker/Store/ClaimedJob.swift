package import Tenure
package import TenureFoundation

/// What one claim asks for.
package struct ClaimRequest: Sendable {
    package var session: SessionID
    package var queue: QueueName
    /// What is newer than a kind's version is left to those who read it.
    package var kinds: [ReadableKind]
    package var wanted: Int
    /// How many of them are to wait for a slot: none that is on its last attempt or has a lane.
    package var ahead: Int
    /// Where to begin, per priority; nil is the head.
    package var position: ClaimPosition?
    /// The newest of the session's claims whose jobs are before the position.
    package var passed: ClaimNumber = .none
    /// Claims of the session of which every run's end is written.
    package var over: [ClaimNumber] = []

    /// A claim of fewer writes its jobs one by one.
    package static let leastFolded = 16

    /// Whether one row may speak for its jobs: those that end fast. Then the next claim is worth
    /// sending before this one is committed.
    package var mayFold: Bool { ahead >= Self.leastFolded }

    /// Whether it is for free slots alone, from the head: there is a shorter way for that.
    var isForFreeSlots: Bool { ahead == 0 && position == nil && over.isEmpty }

    package init(
        session: SessionID, queue: QueueName, kinds: [ReadableKind], wanted: Int,
        ahead: Int = 0, position: ClaimPosition? = nil
    ) {
        self.session = session
        self.queue = queue
        self.kinds = kinds
        self.wanted = wanted
        self.ahead = ahead
        self.position = position
    }
}

/// A job that a claim has made ours.
package struct ClaimedJob: Sendable {
    package var run: RunInfo
    package let payload: String
    package let payloadVersion: Int16
    package let priority: Int16
    package let runAt: Date
    package var maxAttempts: Int
    package let runs: Int
    package let lane: String?
    package var batchID: UUID?
    package var parent: JobID?
    package var trace: String?
    package var place: RowPlace?
    /// Of the lane that was the first in line when it was claimed, for jobs of lanes.
    package var turn: Date?
    package let createdAt: Date

    /// Its start is its claim: it is never claimed ahead.
    var startsAtOnce: Bool { lane != nil || run.attempt >= maxAttempts }

    package var ref: RunRef { RunRef(job: run.job, fence: run.fence) }

    /// The order of claims: priority, run time, id.
    func comesBefore(_ other: ClaimedJob) -> Bool {
        (priority, runAt, run.job) < (other.priority, other.runAt, other.run.job)
    }

    package init(
        run: RunInfo, payload: String, payloadVersion: Int16, priority: Int16, runAt: Date,
        maxAttempts: Int, runs: Int, lane: String?, createdAt: Date
    ) {
        self.run = run
        self.payload = payload
        self.payloadVersion = payloadVersion
        self.priority = priority
        self.runAt = runAt
        self.maxAttempts = maxAttempts
        self.runs = runs
        self.lane = lane
        self.createdAt = createdAt
    }
}

/// What the next claim wants to know of an answer before its rows are read.
package struct ClaimGlance: Sendable {
    package private(set) var count = 0
    /// The newest of the claims that they are of.
    package private(set) var number = ClaimNumber.none
    package private(set) var position = ClaimPosition()
    private(set) var hasLanes = false

    package init() {}

    package init(_ jobs: [ClaimedJob]) {
        for job in jobs {
            add(job.run.fence)
            if job.lane == nil {
                pass(job.priority, job.runAt, job.run.job.uuid)
            } else {
                pass(laneInTurn: job.turn)
            }
        }
    }

    mutating func add(_ fence: Fence) {
        count += 1
        number = max(number, ClaimNumber(of: fence))
    }

    mutating func pass(_ priority: Int16, _ runAt: Date, _ id: UUID) {
        position.pass(priority, runAt, id)
    }

    mutating func pass(laneInTurn turn: Date?) {
        position.pass(laneInTurn: turn)
        hasLanes = true
    }
}

/// Where a queue's claims have got to, per priority.
///
/// A claim that starts at the head of its index walks over every dead entry there, and under an
/// old snapshot they never go away. A position passes them by; what it may pass over itself
/// (enqueues that commit late) is found by claims from the head, as often as their cost allows.
package struct ClaimPosition: Sendable {
    package static let priorities = 10
    package private(set) var runTimes: [Date?] = Array(repeating: nil, count: priorities)
    package private(set) var ids: [UUID?] = Array(repeating: nil, count: priorities)
    /// Of the lane that was the first in line at the last claim from one: before it are the dead.
    package private(set) var turn: Date?

    package init() {}

    mutating func pass(_ priority: Int16, _ runAt: Date, _ id: UUID) {
        let level = Int(priority)
        if let time = runTimes[level], time > runAt { return }
        if runTimes[level] == runAt, let last = ids[level], JobID(last) > JobID(id) { return }
        runTimes[level] = runAt
        ids[level] = id
    }

    mutating func pass(laneInTurn turn: Date?) { self.turn = turn }

    /// What a claim's answer has brought.
    package mutating func pass(_ glance: ClaimGlance) {
        for level in 0..<Self.priorities {
            if let time = glance.position.runTimes[level], let id = glance.position.ids[level] {
                pass(Int16(level), time, id)
            }
        }
        if glance.hasLanes { turn = glance.position.turn }
    }
}
