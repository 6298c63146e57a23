import Tenure
import Web

/// What is known of a URL's host at one moment, with the robots.txt that this process has read of
/// it by then.
struct HostLook: Sendable {
    let known: ReadHosts.Row
    let read: RobotsCache.Entry?

    /// What the database is to be asked for it.
    struct Question: Sendable {
        let asked: ReadHosts.Question
        private let read: RobotsCache.Entry?

        init(_ url: WebURL, _ robots: RobotsCache) {
            read = robots.policy(of: url.origin)
            asked = ReadHosts.Question(
                url: url, wantsRobots: true, knownRobots: read?.fetchedAt)
        }

        func look(_ known: ReadHosts.Row) -> HostLook { HostLook(known: known, read: read) }
    }
}
