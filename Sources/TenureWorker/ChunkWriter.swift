public import TenurePostgres

/// One commit for many jobs: what their handlers have come to is written together, and all of the
/// jobs end in that transaction, each behind its own fence.
///
/// Commits are gathered, not handlers: each job keeps its task, its slot, its timeout and its own
/// end. Make one writer where the handlers are registered, and commit by it.
///
/// ```swift
/// let pages = ChunkWriter<Page>(upTo: 32) { members, transaction in
///     try await store.insert(members.map(\.value), in: transaction)
/// }
/// jobs.handle(Fetch.self) { fetch, context in
///     let page = try await web.get(fetch.url)
///     return try await context.commit(page, by: pages)
/// }
/// ```
///
/// Jobs of several kinds may share a writer; those of one worker go together.
public final class ChunkWriter<Value: Sendable>: Sendable {
    public typealias Write =
        @Sendable (
            _ members: [ChunkMember<Value>], PostgresTransaction
        ) async throws -> Void

    let bounds: GathererBounds
    let write: Write

    /// - Parameters:
    ///   - upTo: how many jobs one transaction ends at most. Less than 1 is thrown by each commit,
    ///     as is a negative `within`.
    ///   - within: how long a job that is ready waits for others. None waits by default: while
    ///     others are on their way, those that become ready go together all the same.
    ///   - write: writes the values of its members, some of those that are ready; follow-up jobs
    ///     are enqueued with a member's `context.client`. It runs again, with fewer of them, where
    ///     one is late or a write fails; what it does outside of the transaction is done again
    ///     then. One statement a table, with its rows sorted by their keys, keeps chunks from
    ///     waiting for each other in circles.
    public init(upTo: Int = 32, within: Duration = .zero, write: @escaping Write) {
        bounds = GathererBounds(upTo: upTo, within: within)
        self.write = write
    }
}

/// A job that is ready, as its chunk's writer sees it.
public struct ChunkMember<Value: Sendable>: Sendable {
    /// Of its run: its ids, its client. The writer's transaction commits it, and nothing else.
    public let context: JobContext
    public let value: Value
}
