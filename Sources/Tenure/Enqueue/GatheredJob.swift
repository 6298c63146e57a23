/// An enqueue that goes with the caller's transaction. What it has come to is known when that has
/// committed.
public struct GatheredJob: Sendable {
    /// The id that the job will have, unless its key's mode, or the id that it was given, leaves
    /// another one standing: ``outcome`` says which one counts.
    public let id: JobID
    let pending: PendingEnqueues
    let place: Int

    /// What the enqueue came to, from the transaction's commit on.
    /// - Throws: `TenureError` with `.misuse` before the commit, for ever after a rollback (also of
    ///   its savepoint only), and for what a `ChunkWriter` has enqueued: its commit doesn't say.
    public var outcome: EnqueuedJob {
        get throws {
            if let outcome = pending.outcome(of: id, at: place) { return outcome }
            throw TenureError(
                .misuse,
                "what came of the enqueue of job \(id) isn't known: ask when its transaction has "
                    + "committed; of one that was rolled back, or of a chunk's, nobody can tell")
        }
    }
}
