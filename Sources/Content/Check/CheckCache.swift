import HTTPTransport
import Synchronization
import Tenure
import TenureFoundation
import Web

/// The checks whose jobs this process works on: a check doesn't change while it goes on.
///
/// Whether a check's sites are somebody else's is not what its row says, but what this worker is
/// allowed, and what an operator has said of the host.
final class CheckCache: Sendable {
    private let pool: PostgresPool
    private let known = Mutex<[UUID: StartedCheck]>([:])
    private static let most = 64

    init(pool: PostgresPool) {
        self.pool = pool
    }

    func check(_ id: UUID, _ configuration: ContentConfiguration) async throws -> StartedCheck? {
        if let check = known.withLock({ $0[id] }) { return check }
        guard var check = try await pool.execute(ReadCheck(check: id)).first else { return nil }
        check.foreignOrigins = try await foreignOrigins(of: check, configuration)
        known.withLock { [check] known in
            if known.count >= Self.most { known = [:] }
            known[id] = check
        }
        return check
    }

    private func foreignOrigins(
        of check: StartedCheck, _ configuration: ContentConfiguration
    ) async throws -> Set<String> {
        let others = try check.scope.origins.compactMap { WebURL($0 + "/") }.filter { origin in
            let allowed = try configuration.addresses(ofSite: check.options(at: origin))
            return !CheckableURL.isAtOwnAddress(origin, allowed)
        }
        if others.isEmpty { return [] }
        let own = try await Set(
            pool.execute(FindOwnHosts(hosts: Set(others.compactMap(\.host)))))
        return Set(others.filter { !own.contains($0.host ?? "") }.map(\.origin))
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
