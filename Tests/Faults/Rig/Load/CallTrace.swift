import Synchronization

/// What the library's log said while one call ran.
final class CallTrace: Sendable {
    @TaskLocal static var current: CallTrace?

    private let resolved = Atomic(false)

    /// The call's COMMIT went unanswered, and its outcome was found out.
    var isResolved: Bool { resolved.load(ordering: .relaxed) }
    func noteResolved() { resolved.store(true, ordering: .relaxed) }
}
