import Tenure

/// How far a page counts jobs: a count of millions would read them all, at each look. So it ends
/// early, and says that there are more, unless the address asks for all of them.
struct Counting: Sendable {
    static let name = "count"
    private static let all = "all"
    /// Of a thing that has a page to itself.
    static let most = 10_000
    /// Of the kinds of a queue: rows are read for these.
    static let mostRows = 400
    /// Of history, where what has ended is summed up: with fifty rows on each, more of them take
    /// over a tenth of a second, two thirds of it for the medians.
    static let mostPages = 250
    /// Of each of the queues that are only named because they want a look.
    static let mostOfTroubled = 100

    let isWhole: Bool

    /// - Throws: `BadRequest`.
    init(_ query: Query) throws {
        let text = query[Self.name]
        guard text == nil || text == Self.all else {
            throw BadRequest("\(Self.name) is \"\(text ?? "")\"; give \(Self.all), or leave it out")
        }
        isWhole = text != nil
    }

    /// As far as each look may.
    init() { isWhole = false }

    /// How far what has a page to itself is counted; nil: to its end.
    var bound: Int? { isWhole ? nil : Self.most }
    var pageBound: Int? { isWhole ? nil : Self.mostPages }
    var rowBound: Int? { isWhole ? nil : Self.mostRows }

    /// Of few queues each is counted further.
    func queues(
        after last: String, limit: Int, _ inspector: Inspector
    ) async throws -> [QueueStatus] {
        func queues(countingTo most: Int?, findsOldest: Bool) async throws -> [QueueStatus] {
            try await inspector.queues(
                after: last, limit: limit, countingTo: most, findsOldest: findsOldest)
        }
        guard !isWhole else { return try await queues(countingTo: nil, findsOldest: true) }
        let found = try await queues(countingTo: 500, findsOldest: false)
        guard found.contains(where: \.isAtLeast) else { return found }
        switch found.count {
        case ...10: return try await queues(countingTo: Self.most, findsOldest: true)
        case ...50: return try await queues(countingTo: 1_000, findsOldest: true)
        default: return found
        }
    }

    /// What + means, where the page has not counted to the end, and a way to the end.
    /// - Parameter all: the address of the same page that counts all.
    func note(_ isAtLeast: Bool, _ all: String, _ more: String = "") -> Markup {
        guard isAtLeast, !isWhole else { return "" }
        return """
            <p class="soft">+ says that there are more than were counted. \(more)\
            \(Markup.link("Count them all", to: all))</p>
            """
    }

    static let wholly = (name, Optional(all))
}
