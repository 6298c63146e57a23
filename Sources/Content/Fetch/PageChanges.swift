import Tenure
import TenureFoundation
import TenureWorker

/// What is to be written of fetched pages, one or many, whose items are locked: gathered for one
/// round trip, a statement a table, with what follows from it.
struct PageChanges: Sendable {
    /// In the order in which they are written: see the lock order in migrations/content/0001.
    var bodies: [KeepBodies.Entry] = []
    var pages = PageWriter()
    var fields: [WriteFields.Entry] = []
    var versions: [AddVersions.Entry] = []
    var notes: [ItemNote.Entry] = []
    var candidates: [KeepCandidates.Entry] = []
    /// Items whose candidate has been answered.
    var answered: [UUID] = []
    /// Items that have been fetched before.
    var fetchedBefore: [UUID] = []
    var fetches: [AddFetches.Entry] = []
    var targets: [UpdateTargets.Entry] = []
    private var news: [FollowUp: [UUID]] = [:]
    private var client: TenureClient?

    private struct FollowUp: Hashable {
        let queue: QueueName
        let pause: Duration
    }

    /// An item's edges or anchors have changed.
    mutating func note(_ item: LockedItem, of ending: FetchEnding) {
        let pause = ending.fetch.parts.configuration.changePause
        news[FollowUp(queue: ending.context.queue, pause: pause), default: []].append(item.id)
        client = client ?? ending.context.client
    }

    /// - Throws: `TargetsGone` where some of what is referred to has been deleted.
    func write(in transaction: PostgresTransaction) async throws {
        var bundle = PostgresBundle()
        for bodies in KeepBodies.all(bodies) { try bundle.add(bodies) }
        let held = try pages.add(to: &bundle)
        try addKept(to: &bundle)
        if !targets.isEmpty { try bundle.add(UpdateTargets(rows: targets)) }
        let calls = try news.sorted { $0.key.queue.rawValue < $1.key.queue.rawValue }.map {
            let note = NoteChanges(items: $1, queue: $0.queue, pause: $0.pause)
            return ($0, place: try bundle.add(note))
        }
        let reply = try await transaction.run(bundle)
        try held.check(reply)
        for (call, place) in calls where try !reply.rows(as: NoteChanges.self, of: place).isEmpty {
            let job = try ChangeFollowUp.job(in: call.queue, after: call.pause)
            try client?.enqueue([job], in: transaction)
        }
    }

    private func addKept(to bundle: inout PostgresBundle) throws {
        for rows in fields.portions(of: \.field.value.utf8.count) {
            try bundle.add(WriteFields(rows: rows))
        }
        if !versions.isEmpty { try bundle.add(AddVersions(rows: versions)) }
        if !notes.isEmpty { try bundle.add(NoteItems(rows: notes)) }
        for rows in candidates.portions(of: \.size) { try bundle.add(KeepCandidates(rows: rows)) }
        if !answered.isEmpty { try bundle.add(DropCandidates(items: answered)) }
        if !fetchedBefore.isEmpty { try bundle.add(DropOldFetches(items: fetchedBefore)) }
        if !fetches.isEmpty { try bundle.add(AddFetches(rows: fetches)) }
    }
}
