import Tenure

/// A verb for all jobs that match: how many they are, before anything is done.
struct BulkPage: Page {
    struct Found: Encodable, Sendable {
        let verb: String
        /// Of all of a queue, of the newest ones alone: the rows of thousands would be read.
        let counts: [JobCount]
        let counted: Int
        let total: Int
    }
    /// More are for the command line, which shows its progress and goes on where it broke off.
    static let most = 10_000
    let verb: JobVerb
    let filter: JobFilter
    let query: Query
    let tab: Tab? = .jobs
    let asksWhy = true
    var title: String { "\(verb.title) all jobs that match" }

    init(_ verb: JobVerb, _ query: Query) throws {
        self.verb = verb
        self.query = query
        filter = try Self.filter(verb, query)
    }

    /// As the command line has it: a verb for all wants to be told which.
    /// - Throws: `BadRequest`.
    static func filter(_ verb: JobVerb, _ query: Query) throws -> JobFilter {
        var filter = try JobQuery.filter(query)
        filter.leavesOutRetried = verb == .retry
        switch verb {
        case .cancel, .discard:
            guard JobQuery.pairs(query).contains(where: { $0.0 != "finished" }) else {
                throw BadRequest(
                    "\(verb.rawValue) for all wants a filter: a queue, a kind, a state")
            }
        case .retry, .delete:
            guard !filter.states.isEmpty else {
                throw BadRequest("\(verb.rawValue) for all wants a state, such as state=discarded")
            }
        }
        return filter
    }

    func look(_ look: Look) async throws -> Found {
        let inspector = look.inspector
        guard filter.onlyQueue != nil else {
            let counts = try await inspector.count(filter, upTo: Self.most + 1)
            let total = counts.reduce(0) { $0 + $1.count }
            return Found(verb: verb.rawValue, counts: counts, counted: total, total: total)
        }
        var newest = filter
        newest.limit = ListLength.most
        let jobs = try await inspector.jobs(newest)
        return Found(
            verb: verb.rawValue, counts: Self.counts(of: jobs), counted: jobs.count,
            total: try await inspector.total(filter, upTo: Self.most + 1))
    }

    /// As the database counts them.
    private static func counts(of jobs: [JobSummary]) -> [JobCount] {
        let groups = Dictionary(grouping: jobs) { [$0.status.rawValue, "\($0.kind)"] }
        let sorted = groups.sorted { one, other in
            one.value.count == other.value.count
                ? one.key.lexicographicallyPrecedes(other.key)
                : one.value.count > other.value.count
        }
        return sorted.map { group in
            let job = group.value[0]
            return JobCount(
                status: job.status, kind: job.kind, queue: job.queue, count: group.value.count)
        }
    }

    func sections(_ found: Found, _ look: Look) -> [Section] {
        let rows = found.counts.prefix(ListLength.most).map { count -> [Markup] in
            ["\(count.kind)", "\(count.queue)", Markup.badge(count.status), "\(count.count)"]
        }
        let table = ListTable(
            caption: found.counted < found.total
                ? "The newest \(found.counted) of what matches" : "What matches",
            columns: [
                .init("kind"), .init("queue"), .init("state"), .init("jobs", isNumber: true),
            ], rows: rows, none: "No job matches.")
        let more = found.counts.count - rows.count
        let rest: Markup =
            found.total > Self.most && filter.onlyQueue == nil
            ? "<p>and more: these were found first</p>"
            : more > 0 ? "<p>and \(more) more kinds and queues</p>" : ""
        let pairs = JobQuery.pairs(query)
        let button = VerbButton(
            title: "\(verb.title) \(CountText.of(found.total, "job"))",
            address: look.links.to("jobs", verb.rawValue, query: pairs),
            value: ("all", "\(found.total)"),
            isGrave: verb != .retry)
        let words: Markup
        if found.total > Self.most {
            let command = Markup.code("tenure job \(verb.rawValue) --all")
            words = """
                <p>These are more than \(Self.most): name fewer, or use the command line: \
                \(command)</p>
                """
        } else {
            words = found.total == 0 ? "" : look.verbs([button])
        }
        let back = Markup.link("Back to the list", to: look.links.to("jobs", query: pairs))
        let which: Markup =
            pairs.isEmpty ? "" : "<p>\(verb.title) all with \(Self.words(pairs)).</p>"
        return [Section(id: "bulk", body: "\(which)\(table.markup)\(rest)\(words)<p>\(back)</p>")]
    }

    /// What was asked for, as it was: `state discarded, error paper`.
    private static func words(_ pairs: [(String, String?)]) -> Markup {
        Markup.joined(pairs.map { "\($0.0) <strong>\($0.1 ?? "")</strong>" })
    }
}
