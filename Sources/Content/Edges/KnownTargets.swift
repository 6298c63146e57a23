import Synchronization
import Tenure
import TenureFoundation

/// Which targets this process has seen to have a row: most of a site's pages refer to the same.
/// A hint. Whoever refers to one holds it, and finds out when it is gone.
final class KnownTargets: Sendable {
    private let known = Mutex<Set<UUID>>([])
    private let maker: LookGatherer<[String], Void>
    /// Some 4 MB of them.
    private static let most = 100_000

    init(pool: PostgresPool) {
        maker = LookGatherer(upTo: 16) { asked in
            // Most of them are asked for by several at once.
            let hrefs = Array(Set(asked.joined()))
            _ = try await pool.execute(StoreTargets(hrefs: hrefs, isQuick: true))
            return asked.map { _ in }
        }
    }

    /// Runs `body` once all targets have a row; and again where it finds that some of them have
    /// been deleted meanwhile.
    ///
    /// They are made in a short transaction of its own: pages of a site share most of their
    /// targets, and one that made a new one in its commit would have all others wait for it, or
    /// deadlock. A target that nothing refers to yet says nothing.
    func with<Value>(
        _ targets: [(id: UUID, href: String)], _ body: () async throws -> Value
    ) async throws -> Value {
        var triesLeft = 10
        while true {
            try await make(targets)
            do {
                return try await body()
            } catch let gone as TargetsGone where triesLeft > 0 {
                known.withLock { $0.subtract(gone.ids) }
                triesLeft -= 1
            }
        }
    }

    private func make(_ targets: [(id: UUID, href: String)]) async throws {
        var seen: Set<UUID> = []
        let missing = known.withLock { known in
            targets.filter { !known.contains($0.id) && seen.insert($0.id).inserted }
        }
        if missing.isEmpty { return }
        try await maker.answer(to: missing.map(\.href))
        known.withLock { known in
            if known.count + missing.count > Self.most { known = [] }
            known.formUnion(missing.map(\.id))
        }
    }
}

/// Some were deleted since they were made: nothing of the transaction may stay, because they can't
/// be made behind what it holds already.
struct TargetsGone: Error {
    let ids: [UUID]
}
