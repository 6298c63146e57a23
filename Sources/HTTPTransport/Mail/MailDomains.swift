import TenureLibresolv

/// Asks name servers whether domains take mail.
///
/// The system's resolver blocks: a few threads ask, for as long as somebody waits.
package final class MailDomains: Sendable {
    package enum Verdict: Sendable, Hashable {
        case taken, noDomain, notTaken
        /// Nobody has answered: nothing can be said.
        case unclear
    }

    /// An IPv4 address and a port.
    package typealias Server = (address: String, port: UInt16)

    private let server: Server?
    private let queue = WorkQueue(threads: 4)

    /// - Parameter server: who is asked instead of the system's name servers.
    package init(server: Server? = nil) { self.server = server }

    deinit { queue.close() }

    /// A few seconds at most, once its turn has come.
    /// - Parameter domain: in ASCII.
    package func verdict(on domain: String) async -> Verdict {
        await withCheckedContinuation { continuation in
            queue.submit { [server] in
                let found = tenure_mail_domain(domain, server?.address, server?.port ?? 53)
                continuation.resume(returning: Verdict(found))
            }
        }
    }
}

extension MailDomains.Verdict {
    fileprivate init(_ found: tenure_mail_domain) {
        self =
            switch found {
            case TENURE_MAIL_TAKEN: .taken
            case TENURE_MAIL_NO_DOMAIN: .noDomain
            case TENURE_MAIL_NOT_TAKEN: .notTaken
            default: .unclear
            }
    }
}
