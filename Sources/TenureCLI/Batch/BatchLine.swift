import Content
import FoundationEssentials
import Tenure

/// One look at a batch. The keys are a contract; more may come.
struct BatchLine: Encodable {
    let batch: String
    let state: BatchState
    let at = Date()
    let startedAt: Date
    @OrNull var cancelledAt: Date?
    @OrNull var cancelledBy: String?
    @OrNull var endedAt: Date?
    /// Why what its end was to enqueue could not be.
    @OrNull var followUpRefused: String?
    let unfinished: Int
    let running: Int
    let held: Int
    /// What has ended is counted when the batch has.
    @OrNull var completed: Int?
    @OrNull var cancelled: Int?
    @OrNull var superseded: Int?
    @OrNull var discarded: Int?
    /// Of a check: URLs visited and known so far, pages, references, and URLs by how they are.
    @OrNull var visited: Int?
    @OrNull var known: Int?
    @OrNull var pages: Int?
    @OrNull var references: Int?
    @OrNull var targets: [String: Int]?

    init(
        _ batch: UUID, _ progress: BatchProgress, _ visits: CheckProgress?, counted: Bool = false
    ) {
        self.batch = batch.uuidString.lowercased()
        state = progress.state
        startedAt = progress.startedAt
        unfinished = progress.unfinished
        running = progress.running
        held = progress.held
        cancelledAt = progress.cancelledAt
        cancelledBy = progress.cancelledBy
        endedAt = progress.endedAt
        followUpRefused = progress.followUpRefused
        completed = counted ? progress.completed : nil
        cancelled = counted ? progress.cancelled : nil
        superseded = counted ? progress.superseded : nil
        discarded = counted ? progress.discarded : nil
        visited = visits?.visited
        known = visits?.total
        pages = visits?.pages
        references = visits?.references
        targets = visits?.targets.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
    }

    var text: String {
        var parts: [String] = []
        if let visited, let known, let pages, let references {
            parts.append("\(visited)/\(known) URLs, \(pages) pages, \(references) references")
        }
        if let broken = targets?["broken"] { parts.append("\(broken) broken") }
        if let completed, let cancelled, let superseded, let discarded {
            parts.append(
                "\(completed) jobs completed, \(cancelled) cancelled, \(superseded) superseded, "
                    + "\(discarded) discarded")
        } else {
            parts.append("\(unfinished) jobs to do, \(running) running")
        }
        if held > 0 { parts.append("\(held) held") }
        if let followUpRefused {
            parts.append("what was to follow was refused: \(followUpRefused)")
        }
        return parts.joined(separator: ", ")
    }

    /// All of it, one below the other.
    var sheet: String {
        var sheet = Sheet()
        sheet.add("batch", batch)
        sheet.add("state", state.rawValue)
        sheet.add("started", TimeText.full(startedAt))
        let whom = cancelledBy.map { " by \($0)" } ?? ""
        sheet.add("cancelled", cancelledAt.map { TimeText.full($0) + whom })
        sheet.add("ended", endedAt.map { TimeText.full($0) })
        sheet.add("follow-up", followUpRefused.map { "refused: \($0)" })
        sheet.add("unfinished", "\(unfinished), of which \(running) run and \(held) are held")
        let outcomes: [(String, Int?)] = [
            ("completed", completed), ("cancelled", cancelled), ("superseded", superseded),
            ("discarded", discarded),
        ]
        for (name, count) in outcomes { sheet.add("jobs \(name)", count.map { String($0) }) }
        if let visited, let known {
            sheet.add("URLs", "\(visited) visited of \(known) known")
            sheet.add("pages", pages.map { String($0) })
            sheet.add("references", references.map { String($0) })
        }
        return sheet.text
    }
}

/// One value on one line.
enum OneLine {
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(TimeText.exact(date))
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
