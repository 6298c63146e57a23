/// Turns a name into addresses, without blocking whoever asks.
package protocol HostResolver: Sendable {
    /// Calls `completion` exactly once, on any thread, unless the lookup was cancelled first.
    func resolve(
        _ host: String, completion: @escaping @Sendable (Result<[IPAddress], LookupFailure>) -> Void
    ) -> any HostLookup

    /// No further lookups; those under way are abandoned.
    func close()
}

package protocol HostLookup: Sendable {
    /// Returns at once, although the system's resolver may go on in the background.
    func cancel()
}

package enum LookupFailure: Error, Sendable, Hashable {
    case notFound(String)
    case temporary(String)

    var text: String {
        switch self {
        case .notFound(let text), .temporary(let text): text
        }
    }
}
