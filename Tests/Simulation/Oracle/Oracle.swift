import Tenure
import TenurePostgres
import TenureWorker

/// Sees everything, also what no process can, and judges it by the README's promises.
final class Oracle: @unchecked Sendable {
    // Unchecked because one thread runs the whole simulation.
    let world: World
    let store: SimulatedStore
    let lease: Int64
    /// A timer's tick, and what a message between two tasks of a process may take.
    static let tick: Int64 = 20_000_000
    private(set) var violation: String?
    var reached = ReachedSet()
    var runs: [Int64: RunRecord] = [:]
    var claims: [Int64: Int64] = [:]
    var leases: [Int: KnownLease] = [:]
    /// Who opened a session.
    var owners: [Int64: SimulatedProcess] = [:]
    var lastBeats: [Int64: Int64] = [:]
    var acknowledged: Set<JobID> = []
    var finals: [JobID: String] = [:]
    /// Of each job the first, and its end, in microseconds by the database's clock.
    var starts: [JobID: Int64] = [:]
    var finishes: [JobID: Int64] = [:]
    var committed: [SubjectName: Int64] = [:]
    var laneStarts: [LaneName: [Int64]] = [:]
    /// How often something of a key has changed.
    var touches: [SubjectName: Int] = [:]
    /// Transactions of which their handlers were told that they are not there.
    var denied: Set<Denial> = []
    var shutdowns: Set<Int> = []
    /// The newest note of each session and queue that has left, and that was answered.
    var notes: [NotePlace: BegunNote] = [:]
    /// The last that was answered, and those behind it.
    var unanswered: [NotePlace: [BegunNote]] = [:]
    var answeredNotes: [NotePlace: BegunNote] = [:]
    /// Sessions whose lease ran out in their own process.
    var expired: Set<Int64> = []

    /// A lease as the process may count it: by the last answer that reached it.
    struct KnownLease {
        let session: Int64
        /// On the process's clock: from here on its attempts are cancelled.
        let deadline: Int64
        /// When the answer came, and what held before.
        let at: Int64
        let earlier: Int64
    }

    init(world: World, store: SimulatedStore, lease: Duration) {
        self.world = world
        self.store = store
        self.lease = lease.wholeNanoseconds
        store.watcher = self
    }

    func fail(_ what: @autoclosure () -> String) {
        guard violation == nil else { return }
        violation = what()
        world.trace.say(world.now, "✘ \(violation ?? "")")
    }

    // MARK: Leases

    /// An answer to a beat or an opening has reached the process.
    func acknowledged(_ process: SimulatedProcess, session: Int64, sent: Int64) {
        guard !process.isGone else { return }
        owners[session] = process
        let deadline = sent + lease - lease / 3
        var earlier = Int64.min
        if let known = leases[process.number], known.session == session {
            // Who wakes up has two answers at once: what held was before both.
            earlier = world.now - known.at <= Self.tick ? known.earlier : known.deadline
        }
        leases[process.number] = KnownLease(
            session: session, deadline: deadline, at: world.now, earlier: earlier)
        let moment = process.clock.moment(of: deadline) + Self.tick
        world.at(moment) { [weak self] in self?.judgeDeadline(of: process) }
    }

    /// Promise 4: attempts are cancelled by the worker's own clock, unless it could not act.
    private func judgeDeadline(of process: SimulatedProcess) {
        if process.isGone { return }
        if process.couldNotAct(within: Self.tick) {
            return world.after(Self.tick) { [weak self] in self?.judgeDeadline(of: process) }
        }
        guard let lease = leases[process.number],
            process.clock.reading >= lease.deadline + Self.tick / 2
        else { return }
        for record in running(in: process) where !record.isCancelled {
            fail(
                "promise 4: \(record.name) was not cancelled by the deadline of its lease, "
                    + "session \(lease.session)")
        }
    }

    /// When the grace is over, whoever still runs is asked to stop.
    func judgeShutdown(of process: SimulatedProcess) {
        if process.isGone { return }
        if process.couldNotAct(within: Self.tick * 2) {
            return world.after(Self.tick) { [weak self] in self?.judgeShutdown(of: process) }
        }
        for record in running(in: process) where !record.isCancelled && !record.isCommitting {
            fail("\(record.name) was not asked to stop by a shutdown whose grace is over")
        }
    }

    func running(in process: SimulatedProcess) -> [RunRecord] {
        runs.values.filter { $0.process === process && !$0.isOver }
    }

    /// Whether the run's lease is over on its process's own clock.
    func isPastDeadline(_ record: RunRecord) -> Bool {
        guard let lease = leases[record.process.number], lease.session == record.session else {
            return true
        }
        return record.process.clock.reading >= lease.deadline
    }

    // MARK: Handlers

    func didStart(
        _ held: Run, in process: SimulatedProcess, timeout: Duration?
    ) -> RunRecord {
        let fence = held.job.run.fence.rawValue
        let record = RunRecord(
            held: held, process: process, session: claims[fence] ?? 0,
            timeout: timeout?.wholeNanoseconds)
        world.trace.note(world.now, "start", held.job.run.job.short, Int(fence))
        if process.isGone {
            record.isOver = true
            return record
        }
        if runs[fence] != nil { fail("promise 2: \(record.name) was started twice") }
        runs[fence] = record
        let place = NotePlace(session: record.session, queue: record.run.queue)
        if !(notes[place]?.contains(fence) ?? false) {
            fail("\(record.name) was started, and no note that has left names it")
        }
        if isPastDeadline(record) {
            fail("promise 4: \(record.name) was started after its lease was over")
        }
        judgeOverlap(of: record)
        return record
    }

    private func judgeOverlap(of record: RunRecord) {
        for other in runs.values
        where other !== record && other.run.job == record.run.job && !other.isOver
            && !other.isCancelled && !other.isCommitting && !other.process.isGone
            && !other.process.couldNotAct(within: Self.tick * 2)
        {
            fail("promise 4: \(record.name) runs beside \(other.name), which was not cancelled")
        }
    }

    func didCancel(_ record: RunRecord) {
        record.isCancelled = true
        if record.process.isGone { return }
        guard let reason = record.held.right.reason else {
            if !record.isOver { fail("\(record.name) was cancelled without a reason") }
            return
        }
        world.trace.note(world.now, "cancel", record.run.job.short, reason.number)
        judge(reason, of: record)
    }

    /// A reason that is given is true.
    private func judge(_ reason: EndReason, of record: RunRecord) {
        let verdict = store.verdict(of: record.ref)
        var isTrue = true
        switch reason {
        case .superseded:
            reached.add(.supersededWhileRunning)
            isTrue =
                verdict == .lost
                || store.index(record.ref).map {
                    store.isOutdated(store.jobs[$0])
                } ?? true
        case .cancelled:
            reached.add(.cancelledWhileRunning)
            if case .cancelled = verdict {} else { isTrue = verdict == .lost }
        case .timedOut:
            reached.add(.timedOut)
            let ran = record.process.clock.reading - record.startReading
            isTrue = record.timeout.map { ran >= $0 } ?? false
        case .waiting: break  // it said so itself
        case .shutdown:
            reached.add(.shutdownWhileRunning)
            isTrue = shutdowns.contains(record.process.number)
        case .leaseExpired:
            reached.add(.leaseExpiredWhileRunning)
            isTrue = mayHaveExpired(record)
        case .lost:
            reached.add(.lostWhileRunning)
            isTrue =
                verdict == .lost && !record.hasCommitted
                || store.session(record.session)?.isOver ?? true
        }
        if !isTrue { fail("\(record.name) was told \"\(reason)\", which is not so") }
    }

    /// By the answer before the last, when the last has only just come.
    private func mayHaveExpired(_ record: RunRecord) -> Bool {
        guard let lease = leases[record.process.number] else { return true }
        let isNew =
            world.now - lease.at <= Self.tick || record.process.couldNotAct(within: Self.tick)
        let deadline = isNew ? lease.earlier : lease.deadline
        return lease.session != record.session || record.process.clock.reading >= deadline
    }

    /// An effect outside the database, right after `checkRight` let it pass.
    func effect(of record: RunRecord) {
        world.trace.note(world.now, "effect", record.run.job.short)
        if !record.process.isGone, isPastDeadline(record) {
            fail("promise 4: \(record.name) began an effect after its lease was over")
        }
    }

    func didEnd(_ record: RunRecord, _ result: RunRecord.Result) {
        record.result = result
        record.isOver = true
        world.trace.note(world.now, "over", record.run.job.short)
    }

    // MARK: The truth about commits

    /// A commit begins, of one run or of many.
    func didBegin(_ transaction: Int, _ members: [RunRef]) {
        for run in members { runs[run.fence.rawValue]?.transaction = transaction }
    }

    func told(_ record: RunRecord, committed: Bool) {
        guard !record.process.isGone, let number = record.transaction else { return }
        if committed {
            if !store.isCommitted(number, of: record.ref) {
                fail("promise 2: \(record.name) was told of a commit that is not there")
            }
        } else if store.isCommitted(number, of: record.ref) {
            fail("promise 2: \(record.name) was told that its commit failed, and it is there")
        } else {
            denied.insert(Denial(number, record.ref))
        }
    }

    func toldLate(_ record: RunRecord) {
        reached.add(.lateResult)
        if !record.process.isGone, store.verdict(of: record.ref) == nil {
            fail("\(record.name) was told that it was late, and it was not")
        }
    }

    func didAnswer(claim jobs: [ClaimedJob], asked: Int) {
        if jobs.count > asked { fail("a claim gave \(jobs.count) jobs for \(asked)") }
    }
}

/// A run was told that a transaction has not committed what it had in it.
struct Denial: Hashable {
    let transaction: Int
    let run: RunRef

    init(_ transaction: Int, _ run: RunRef) {
        self.transaction = transaction
        self.run = run
    }
}

extension EndReason {
    fileprivate var number: Int {
        switch self {
        case .superseded: 1
        case .cancelled: 2
        case .timedOut: 3
        case .shutdown: 4
        case .leaseExpired: 5
        case .lost: 6
        case .waiting: 7
        }
    }
}
