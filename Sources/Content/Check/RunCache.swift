import FoundationEssentials
import HTTPTransport
import Synchronization
import Tenure
import Web

/// The runs whose jobs this process works on: a run doesn't change while it goes on.
///
/// Whether a run's site is somebody else's is not what its row says, but what this worker is
/// allowed, and what an operator has said of the host.
final class RunCache: Sendable {
    private let pool: PostgresPool
    private let known = Mutex<[UUID: CheckRun]>([:])
    private static let most = 64

    init(pool: PostgresPool) {
        self.pool = pool
    }

    func run(_ id: UUID, _ configuration: ContentConfiguration) async throws -> CheckRun? {
        if let run = known.withLock({ $0[id] }) { return run }
        guard var run = try await pool.execute(ReadRun(run: id)).first else { return nil }
        let allowed = try configuration.addresses(ofSite: run.options)
        if !CheckableURL.isAtOwnAddress(run.start, allowed) {
            let own = FindOwnHost(host: run.start.host ?? "")
            run.isForeign = try await pool.execute(own).isEmpty
        }
        known.withLock { [run] known in
            if known.count >= Self.most { known = [:] }
            known[id] = run
        }
        return run
    }
}

extension ContentConfiguration {
    /// What the site of a check may be reached at: what this worker allows, and no more than the
    /// check names if it names any.
    func addresses(ofSite options: SiteCheckOptions) throws -> AddressPolicy {
        let named = try ContentConfiguration.blocks(options.allowedAddresses)
        let usual = AddressPolicy(allowed: allowedAddresses)
        if named.isEmpty { return usual }
        return AddressPolicy(allowed: allowedAddresses + siteAddresses).narrowed(to: named)
    }
}
