import Tenure

extension LocalQueue {
    struct State {
        var running = 0
        /// Claimed and waiting for a slot; the next one is the last.
        var buffer: [Run] = []
        /// When the buffer was last filled.
        var bufferedAt: ContinuousClock.Instant?
        var demand: ClaimDemand
        /// What all queues of the process have ahead; nil where it is the only one.
        var shared: SharedBuffer?
        var sweep = ClaimSweep()
        /// Claims of which it is not known what they take: one at a time.
        var open = 0
        /// Jobs that claims have asked for and not yet brought.
        var asked = 0
        /// The last claim found less than it asked for: wait for news.
        var isDrained = false
        /// Something happened since the last claim was sent that it may not have seen.
        var hasNews = false
        /// The last claim failed: the next one waits for a poll, or for news.
        var hasFailed = false
        /// False while jobs that start where they are claimed may be next in line.
        var mayClaimAhead = true
        var isStopped = false
        /// Claims in a row that found nothing although something seemed due.
        var vain = 0
        var notes = Notes()
    }

    /// What of the buffer may begin.
    struct Notes {
        var log: BegunLog?
        /// The next so many of the log's session are named in a note that has been sent.
        var sent = 0
        /// Named in a note that is not on its way yet.
        var unsent = 0
        /// One at a time: what a killed process had sent behind another might not be carried out.
        var isOpen = false
        /// The last one failed, or names what doesn't begin: another is due.
        var isOwed = false
        /// When the last run began.
        var lastBeganAt: ContinuousClock.Instant?
    }
}

extension LocalQueue.State {
    init(demand: ClaimDemand, shared: SharedBuffer? = nil) {
        self.demand = demand
        self.shared = shared
    }

    // MARK: Claims

    /// How many to claim now.
    var wanted: Int {
        if isDrained || hasFailed || isStopped || open > 0 { return 0 }
        return demand.wanted(
            running: running, buffered: buffer.count + asked, mayPrefetch: mayPrefetch)
    }

    /// Nothing runs here, and nothing is on its way.
    var isIdle: Bool { running == 0 && buffer.isEmpty && asked == 0 }

    /// How many slots have nothing to do, and nothing on its way.
    var free: Int { demand.slots - running - buffer.count - asked }

    private var mayPrefetch: Bool { mayClaimAhead && shared?.isFull != true }

    /// Until when a claim of so many waits for more free slots; nil: for none.
    func gathers(_ wanted: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        demand.gathers(wanted, mayPrefetch: mayPrefetch, at: now)
    }

    /// How many of these are to wait for a slot.
    func ahead(of wanted: Int) -> Int {
        demand.ahead(of: wanted, running: running, buffered: buffer.count + asked)
    }

    /// The session's claims of which every run's end is written; each is said once.
    mutating func takeOver(of session: SessionID) -> [ClaimNumber] {
        let over = notes.log?.takeOver() ?? []
        return notes.log?.session == session ? over : []
    }

    /// Nothing is to do, and there are such claims: as long as the database has their rows, each
    /// claim of the queue looks through all that they speak for.
    var owesOver: Bool {
        isIdle && open == 0 && !hasFailed && !isStopped && notes.log?.hasOver ?? false
    }

    /// A claim that filled the free slots and no more has met the end of the line, or a job that is
    /// not claimed ahead: one for free slots alone will tell. Behind jobs of lanes are others, and
    /// a claim ahead would find none of them: that has to be known before the next claim goes,
    /// which may be before the jobs are read.
    mutating func answered(_ request: ClaimRequest, _ glance: ClaimGlance) {
        sweep.answered(glance, to: request)
        let count = glance.count
        let isShort = count < request.wanted
        let isCut = isShort && request.ahead > 0 && count >= request.wanted - request.ahead
        isDrained = isShort && !isCut && !hasNews
        mayClaimAhead = !isCut && !glance.hasLanes
    }

    /// What it was to take may be in line still, before the position.
    mutating func claimFailed() {
        hasFailed = true
        sweep.lost()
    }

    // MARK: The buffer

    /// - Parameter runs: those of one claim, the next one last.
    mutating func hold(_ runs: [Run], of session: SessionID) {
        buffer.insert(contentsOf: runs, at: 0)
        shared?.add(runs.count)
        if notes.log?.session != session {
            notes.log = BegunLog(session: session)
            notes.sent = 0
            notes.unsent = 0
        }
        notes.log?.add(runs.reversed().map(\.ref))
    }

    mutating func takeBuffer() -> [Run] {
        defer { buffer = [] }
        shared?.add(-buffer.count)
        notes.log?.dropUnnamed()
        notes.sent = 0
        notes.unsent = 0
        return buffer
    }

    /// The next run, if it may begin. One of an earlier session won't: it goes back.
    mutating func takeNext(at now: ContinuousClock.Instant) -> Run? {
        guard let next = buffer.last else { return nil }
        if next.session == notes.log?.session {
            guard notes.sent > 0 else { return nil }
            notes.sent -= 1
            notes.lastBeganAt = now
        }
        shared?.add(-1)
        return buffer.removeLast()
    }

    // MARK: Notes

    /// How many runs the next note has to name; nil: none is due.
    func toName(at now: ContinuousClock.Instant) -> Int? {
        guard !notes.isOpen, let unnamed = notes.log?.unnamed else { return nil }
        let free = demand.slots - running
        let soon = demand.soon(at: now)
        if unnamed > 0, notes.sent < free || notes.sent < soon / 4 {
            return max(free, soon) - notes.sent
        }
        return notes.isOwed ? 0 : nil
    }

    /// A note that is due.
    mutating func startNote(
        in queue: QueueName, at now: ContinuousClock.Instant, isHeld: (RunRef) -> Bool
    ) -> BegunNote? {
        guard let count = toName(at: now), let before = notes.log?.unnamed else { return nil }
        let note = notes.log?.note(next: count, in: queue, isHeld: isHeld)
        notes.unsent += before - (notes.log?.unnamed ?? 0)
        notes.isOpen = true
        return note
    }

    /// Slow jobs have come behind fast ones: what was named and hasn't begun for so long is named
    /// no more, and costs nothing if the process dies. Returns whether a note is due that says so.
    mutating func takeBackNames(after rest: Duration, at now: ContinuousClock.Instant) -> Bool {
        guard notes.sent > 0, !notes.isOpen, let last = notes.lastBeganAt,
            last.duration(to: now) >= rest
        else { return false }
        notes.log?.takeBack(notes.sent)
        notes.sent = 0
        notes.isOwed = true
        return true
    }

    mutating func noteLeft(_ note: BegunNote) {
        guard note.session == notes.log?.session else { return }
        notes.sent += notes.unsent
        notes.unsent = 0
    }

    mutating func noteEnded(_ note: BegunNote, isAnswered: Bool) {
        notes.isOpen = false
        notes.isOwed = !isAnswered
        if isAnswered { notes.log?.wasAnswered(note) }
    }
}
