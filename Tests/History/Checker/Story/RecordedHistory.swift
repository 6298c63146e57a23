/// A recording, indexed: by job, run, session, process and transaction.
package final class RecordedHistory {
    let recording: Recording
    let processes: [String: ProcessStory]
    /// Of each job, in the order of their claims.
    private(set) var runs: [JobID: [Run]] = [:]
    /// Every run, those of one job in their order.
    private(set) var allRuns: [Run] = []
    private(set) var sessions: [Int: SessionStory] = [:]
    private(set) var enqueues: [EnqueueStory] = []
    private(set) var retries: [RetryStory] = []
    /// The changes of each job's row.
    private(set) var changes: [JobID: [Change<JobRow>]] = [:]
    /// The rows of `job_history` that were inserted, by transaction and job. What only went from
    /// one partition to another, taken out and put in as it was, is no finish.
    private(set) var finishes: [Transaction<JobID>: [Change<HistoryRow>]] = [:]
    /// Of those, the last of each job.
    private(set) var ends: [JobID: Change<HistoryRow>] = [:]
    /// The changes of subjects, by transaction.
    private(set) var subjectChanges: [Transaction<Subject>: [Change<SubjectRow>]] = [:]
    private var changesOfSubjects: [Subject: [Change<SubjectRow>]] = [:]
    private(set) var effects: [JobID: [Change<EffectRow>]] = [:]
    private var runsByID: [RunID: Run] = [:]
    private var queues: [String: [Change<QueueRow>]] = [:]

    struct Transaction<Row: Hashable>: Hashable {
        let xid: Int
        let row: Row
    }

    package init(_ recording: Recording) {
        self.recording = recording
        let stories = recording.processes.map {
            ProcessStory(log: $0, faults: recording.faults)
        }
        processes = Dictionary(
            stories.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        indexTransactions()
        indexRuns()
        for process in stories { indexLog(process) }
        for session in sessions.values { session.reckon(settings) }
    }

    var settings: Settings { recording.settings }
    var audit: Audit { recording.audit }
    var final: FinalTables { recording.final }
    var end: Fault? { recording.faults.first { $0.name == .end } }

    func run(_ job: JobID, _ fence: Int) -> Run? { runsByID[RunID(job: job, fence: fence)] }

    /// The changes of a subject's row.
    func changes(of subject: Subject) -> [Change<SubjectRow>] { changesOfSubjects[subject] ?? [] }

    /// Whether the finished jobs of a queue were kept at a moment of the audit.
    func keepsCompleted(_ queue: String, at seq: Int) -> Bool {
        queues[queue]?.last { $0.seq < seq }?.new?.keepsCompleted ?? true
    }

    /// Whether a run was ended by somebody who had seen its session's end.
    func mayBeReclaimed(_ run: Run) -> Bool {
        guard let end = run.end, let session = run.session else { return false }
        guard let ended = sessions[session]?.ended else { return false }
        // Different rows; but to reclaim, one must have read that the session is over.
        return ended.seq < end.change.seq
    }

    private func indexTransactions() {
        var taken: [Transaction<JobID>: [HistoryRow]] = [:]
        for change in audit.history {
            if change.new == nil, let old = change.old {
                taken[Transaction(xid: change.xid, row: old.id), default: []].append(old)
            }
            guard change.old == nil, let row = change.new else { continue }
            let key = Transaction(xid: change.xid, row: row.id)
            if let index = taken[key]?.firstIndex(of: row) {
                taken[key]?.remove(at: index)
            } else {
                finishes[key, default: []].append(change)
                ends[row.id] = change
            }
        }
        for change in audit.subjects {
            guard let row = change.new ?? change.old else { continue }
            changesOfSubjects[row.subject, default: []].append(change)
            subjectChanges[Transaction(xid: change.xid, row: row.subject), default: []]
                .append(change)
        }
        for change in audit.effects {
            guard change.old == nil, let row = change.new else { continue }
            effects[row.job, default: []].append(change)
        }
        for change in audit.sessions {
            guard let row = change.new ?? change.old else { continue }
            session(row.id).changes.append(change)
        }
        for change in audit.queues {
            guard let row = change.new ?? change.old else { continue }
            queues[row.name, default: []].append(change)
        }
    }

    private func session(_ id: Int) -> SessionStory {
        if let known = sessions[id] { return known }
        let session = SessionStory(id: id)
        sessions[id] = session
        return session
    }

    private func indexRuns() {
        for change in audit.jobs {
            guard let job = (change.new ?? change.old)?.id else { continue }
            changes[job, default: []].append(change)
            let before = change.old?.fence
            let after = change.new?.fence
            guard before != after else { continue }
            if let before, let run = runsByID[RunID(job: job, fence: before)], run.end == nil {
                let finish = finishes[Transaction(xid: change.xid, row: job)]?.first
                run.end = RunEnd(change: change, history: finish)
            }
            if let after { add(Run(id: RunID(job: job, fence: after), claim: change)) }
        }
    }

    private func add(_ run: Run) {
        runs[run.id.job, default: []].append(run)
        allRuns.append(run)
        if runsByID[run.id] == nil { runsByID[run.id] = run }
    }

    private func indexLog(_ process: ProcessStory) {
        var sent: [Int: Event] = [:]
        var answered: [Int: Event] = [:]
        for event in process.log.events {
            switch event.name {
            case .sessionOpened:
                let session = session(event.session ?? 0)
                session.opened = event
                session.process = process
            case .beatSent, .beatAnswered, .leaseExpired:
                session(event.session ?? 0).events.append(event)
            case .claimed, .handlerStarted, .cancelDelivered, .effectStarting, .commitStarting,
                .commitAnswered, .handlerEnded, .errorReport, .late:
                index(event, of: process)
            case .enqueueSent, .retrySent: sent[event.number ?? 0] = event
            case .enqueueAnswered, .retryAnswered: answered[event.number ?? 0] = event
            case .start, .beatFailed, .declaring, .stuck, .databaseError, .cancelSent,
                .cancelAnswered, .noted:
                break
            }
        }
        for (call, event) in sent.sorted(by: { $0.key < $1.key }) {
            index(call: event, answered: answered[call], process)
        }
    }

    private func index(_ event: Event, of process: ProcessStory) {
        guard let job = event.job, let fence = event.fence else { return }
        if runsByID[RunID(job: job, fence: fence)] == nil {
            add(Run(id: RunID(job: job, fence: fence), claim: nil))
        }
        let run = runsByID[RunID(job: job, fence: fence)]
        if run?.process == nil { run?.process = process }
        run?.events.append(event)
    }

    private func index(call sent: Event, answered: Event?, _ process: ProcessStory) {
        if sent.name == .retrySent {
            if let answered { retries.append(RetryStory(sent: sent, answered: answered)) }
            return
        }
        for entry in sent.entries {
            enqueues.append(
                EnqueueStory(entry: entry, sent: sent, answered: answered, process: process))
        }
    }
}
