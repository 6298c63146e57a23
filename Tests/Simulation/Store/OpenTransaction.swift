import Tenure

/// What a transaction can lock.
enum Lockable: Hashable {
    case subject(SubjectName)
    case job(JobID)
}

/// A transaction of several calls. What it will change is written down and applied at its COMMIT:
/// all that it decided on is locked until then.
final class OpenTransaction {
    let number: Int
    let incarnation: Int
    /// What only a commit makes visible: the handler's writes.
    var writes: [String] = []
    var effects: [(SimulatedStore) throws -> Void] = []
    /// It fails rather than wait for a lock.
    var isImpatient = false
    /// The runs that it ends, or the one whose right it holds.
    var finished: [RunRef] = []
    var held: RunRef?
    var runs: [RunRef] { finished + [held].compactMap(\.self) }
    /// A producer's, and no worker's.
    var isForeign = false
    var locks: [Lockable] = []
    /// The calls that wait for it.
    var waiters: [() -> Void] = []

    init(number: Int, incarnation: Int) {
        self.number = number
        self.incarnation = incarnation
    }
}

/// Somebody's open transaction holds what an operation needs: it goes on when that has ended.
struct Blocked: Error {
    let transaction: Int
}

enum TransactionStatus { case committed, aborted, inProgress, ambiguous }

extension SimulatedStore {
    func begin() -> OpenTransaction {
        lastTransaction += 1
        let transaction = OpenTransaction(number: lastTransaction, incarnation: incarnation)
        transactions[lastTransaction] = transaction
        return transaction
    }

    func status(of number: Int, incarnation seen: Int) -> TransactionStatus {
        if transactions[number] != nil { return .inProgress }
        guard ended[number] ?? false else { return .aborted }
        return seen == incarnation ? .committed : .ambiguous
    }

    /// Whether it is known to have committed what a run had in it; for the oracle.
    func isCommitted(_ number: Int, of run: RunRef) -> Bool {
        committedRuns[number]?.contains(run) ?? false
    }

    func commit(_ number: Int) throws {
        guard let transaction = transactions[number] else {
            throw StoreRefusal(sqlState: "25P01")
        }
        current = number
        defer { current = nil }
        for effect in transaction.effects { try effect(self) }
        watcher?.didCommit(transaction)
        end(transaction, committed: true)
    }

    func abort(_ number: Int) {
        if let transaction = transactions[number] { end(transaction, committed: false) }
    }

    /// Every open transaction is rolled back, and ids may be given anew.
    func crash() {
        incarnation += 1
        for number in transactions.keys.sorted() { abort(number) }
    }

    private func end(_ transaction: OpenTransaction, committed: Bool) {
        transactions[transaction.number] = nil
        ended[transaction.number] = committed
        if committed { committedRuns[transaction.number] = transaction.runs }
        for lock in transaction.locks where locks[lock] == transaction.number { locks[lock] = nil }
        let waiters = transaction.waiters
        transaction.waiters = []
        for waiter in waiters { waiter() }
    }

    // MARK: Locks

    func isLocked(_ lock: Lockable) -> Bool {
        guard let owner = locks[lock] else { return false }
        return owner != current
    }

    func isKeyLocked(_ job: JobRow) -> Bool { job.subject.map { isLocked(.subject($0)) } ?? false }

    func isLocked(_ job: JobRow) -> Bool { isKeyLocked(job) || isLocked(.job(job.id)) }

    func wait(for lock: Lockable) throws {
        if isLocked(lock), let owner = locks[lock] { throw Blocked(transaction: owner) }
    }

    /// Locks the subjects of a run and of its follow-ups, and the jobs of those keys. Nothing is
    /// locked when one of them is somebody else's.
    func lock(_ subjects: [SubjectName], _ job: JobID?, for transaction: OpenTransaction) throws {
        var wanted = subjects.map { Lockable.subject($0) }
        for subject in subjects {
            wanted += indices(of: subject).filter { jobs[$0].state != .running }
                .map { .job(jobs[$0].id) }
        }
        if let job { wanted.append(.job(job)) }
        for lock in wanted {
            if let owner = locks[lock], owner != transaction.number {
                throw Blocked(transaction: owner)
            }
        }
        for lock in wanted where locks[lock] == nil {
            locks[lock] = transaction.number
            transaction.locks.append(lock)
        }
    }
}
