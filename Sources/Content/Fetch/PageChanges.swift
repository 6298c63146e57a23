import Tenure
import TenureWorker

/// What is to be written of fetched pages, one or many, whose items are locked: gathered for one
/// round trip, with what follows from it.
struct PageChanges: Sendable {
    var writer = PageWriter()
    private var notes: [Note] = []

    private struct Note {
        let place: Int
        let client: TenureClient
        let queue: QueueName
        let pause: Duration
    }

    /// An item's edges or anchors have changed.
    mutating func note(_ item: LockedItem, of ending: FetchEnding) throws {
        let (queue, pause) = (ending.context.queue, ending.fetch.parts.configuration.changePause)
        let place = try writer.bundle.add(NoteChange(item: item.id, queue: queue, pause: pause))
        notes.append(
            Note(place: place, client: ending.context.client, queue: queue, pause: pause))
    }

    /// - Throws: `TargetsGone` where some of what is referred to has been deleted.
    func write(in transaction: PostgresTransaction) async throws {
        let reply = try await writer.write(in: transaction)
        for note in notes where try !reply.rows(as: NoteChange.self, of: note.place).isEmpty {
            let job = try ChangeFollowUp.job(in: note.queue, after: note.pause)
            try note.client.enqueue([job], in: transaction)
        }
    }
}
