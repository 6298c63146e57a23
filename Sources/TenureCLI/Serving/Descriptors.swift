import Glibc

/// How many files and sockets this process may have open.
enum Descriptors {
    /// More than any part needs, and few enough for programs that count through them all.
    private static let most: rlim_t = 65_536

    /// Raises the soft limit to the hard one: the soft one is kept low for programs that use
    /// `select`, and nothing here does.
    /// - Returns: how many there may be now.
    @discardableResult
    static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 256
        }
        var raised = limit
        raised.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, most))
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        return Int(min(limit.rlim_cur, most))
    }
}
