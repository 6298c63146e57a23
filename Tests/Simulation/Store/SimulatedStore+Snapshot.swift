package import Tenure

/// All that a transaction above READ COMMITTED sees of the others: what was there at its first
/// statement.
package struct Snapshot {
    let jobs: [JobRow]
    let subjects: [SubjectName: SubjectRow]
    let lanes: [LaneName: LaneRow]
    /// The newest of a row.
    let version: Int
}

/// A snapshot, and what its owner has written since: newer versions than `since` are his own.
struct View {
    let snapshot: Snapshot
    let since: Int
    /// Whom its owner has ended.
    var retired: Set<JobID> = []
}

/// migrations/functions/shared: callers that keep their snapshot (docs/decisions/isolation.md).
extension SimulatedStore {
    package func snapshot() -> Snapshot {
        Snapshot(jobs: jobs, subjects: subjects, lanes: lanes, version: lastVersion)
    }

    /// `require_current_view`: refuses a decision that would rest on rows that have changed since.
    /// A lane that came since is refused by PostgreSQL itself. The subjects are locked.
    package func requireCurrent(_ snapshot: Snapshot, for news: [NewJob]) throws {
        let wanted = Set(news.compactMap(\.subject))
        let haveSubjectsChanged = wanted.contains {
            snapshot.subjects[$0]?.version != subjects[$0]?.version
        }
        let haveJobsChanged = snapshot.jobs.contains { job in
            guard flaw == .refusesForNothing || job.subject.map(wanted.contains) ?? false
            else { return false }
            return index(job.id).map { jobs[$0].version } != job.version
        }
        let haveLanesCome = news.compactMap(\.lane).contains {
            snapshot.lanes[$0] == nil && lanes[$0] != nil
        }
        if haveSubjectsChanged && flaw != .trustsSubjects
            || haveJobsChanged && flaw != .trustsJobs || haveLanesCome
        {
            throw StoreRefusal(sqlState: "40001")
        }
    }

    /// What is required to be current is.
    package func enqueue(_ news: [NewJob], in snapshot: Snapshot) throws -> [Enqueued] {
        view = View(snapshot: snapshot, since: lastVersion)
        defer { view = nil }
        return try enqueue(news)
    }

    /// What an enqueue sees of a key's jobs.
    func visible(of subject: SubjectName) -> [JobRow] {
        let rows = indices(of: subject).map { jobs[$0] }
        guard let view else { return rows }
        let own = rows.filter { $0.version > view.since }
        let seen = view.snapshot.jobs.filter { job in
            job.subject == subject && !view.retired.contains(job.id)
                && !own.contains { $0.id == job.id }
        }
        return seen + own
    }

    /// The pending job that an enqueue sees, and may write.
    func pending(of subject: SubjectName) -> Int? {
        visible(of: subject).compactMap { index($0.id) }.first { jobs[$0].state != .running }
    }
}
