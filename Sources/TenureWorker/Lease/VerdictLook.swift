import Tenure
import TenurePostgres

/// Asks what has become of runs that a wake-up has named: sooner than the next beat could say it,
/// and without writing anything. Where it fails, a beat is asked for: that one can't be missed.
struct VerdictLook: Sendable {
    let store: any RunStore
    let holder: LeaseHolder
    let lease: SessionLease
    private let named = Inbox<Run>()

    init(store: any RunStore, holder: LeaseHolder, lease: SessionLease) {
        self.store = store
        self.holder = holder
        self.lease = lease
    }

    /// Never waits.
    func look(at runs: [Run]) { named.put(runs) }

    /// Runs until cancelled.
    func run() async {
        while !Task.isCancelled {
            let runs = await named.takeAll()
            if runs.isEmpty { continue }
            do {
                holder.verdicts(try await store.verdicts(of: runs.map(\.ref)))
            } catch {
                lease.beatSoon()
            }
        }
    }
}
