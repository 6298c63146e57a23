/// How many redirects are followed.
enum Redirects {
    /// By a fetch, by a look at a target, and in whatever is said of a chain: one more is too many.
    static let most = 10
    /// By a run, which goes on behind that: so it tells a circle from a chain that is too long.
    static let mostInCheck = 2 * most
    /// To a robots.txt (RFC 9309, section 2.3.1.2).
    static let mostToRobots = 5
}
