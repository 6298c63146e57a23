import Tenure
import Web

/// What is known of an item and of its host before it is asked for.
struct FirstLook: Sendable {
    let item: ReadItems.Row
    let host: HostLook

    /// Looks at many in one round trip: each host once, or its robots.txt would come along for each
    /// of its URLs.
    static func read(
        _ urls: [WebURL], from pool: PostgresPool, _ robots: RobotsCache
    ) async throws -> [FirstLook] {
        var places: [String: Int] = [:]
        var questions: [HostLook.Question] = []
        for url in urls where places[url.origin] == nil {
            places[url.origin] = questions.count
            questions.append(HostLook.Question(url, robots))
        }
        let (items, hosts) = try await pool.pipeline(
            ReadItems(hrefs: urls.map(\.href)), ReadHosts(questions.map(\.asked)))
        guard items.count == urls.count, hosts.count == questions.count else {
            throw ContentError(.newerDatabase, "the item could not be read")
        }
        return zip(urls, items).map { url, item in
            let place = places[url.origin] ?? 0
            return FirstLook(item: item, host: questions[place].look(hosts[place]))
        }
    }
}
