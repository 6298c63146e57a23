import Content
import Tenure
import TenureFoundation

/// One look at a batch. The keys are a contract; more may come.
struct BatchLook: Report {
    let batch: UUID
    let at = Date()
    let progress: BatchProgress
    /// Of a check.
    let visits: CheckProgress?
    /// What has ended is counted when the batch has.
    let isCounted: Bool
    /// In the place of its numbers, where somebody asks for it.
    var drawing: String?

    init(
        _ batch: UUID, _ progress: BatchProgress, _ visits: CheckProgress?, counted: Bool = false
    ) {
        self.batch = batch
        self.progress = progress
        self.visits = visits
        isCounted = counted
    }

    /// - Throws: `Failure` when there is none.
    static func find(
        _ batch: UUID, _ inspector: Inspector
    ) async throws -> BatchProgress {
        if let found = try await inspector.progress(ofBatch: batch) { return found }
        throw Failure(
            "there is no batch \(batch.uuidString.lowercased()), or it ended long ago and is "
                + "forgotten; see tenure batch list --all")
    }

    func encode(to encoder: any Encoder) throws {
        func ended(_ count: Int) -> Int? { isCounted ? count : nil }
        let targets = visits?.targets.reduce(into: [String: Int]()) {
            $0[$1.key.rawValue] = $1.value
        }
        try encoder.write([
            "batch": batch.uuidString.lowercased(), "state": progress.state, "at": at,
            "startedAt": progress.startedAt, "cancelledAt": progress.cancelledAt,
            "cancelledBy": progress.cancelledBy, "endedAt": progress.endedAt,
            "followUpRefused": progress.followUpRefused, "unfinished": progress.unfinished,
            "running": progress.running, "held": progress.held,
            "completed": ended(progress.completed), "cancelled": ended(progress.cancelled),
            "superseded": ended(progress.superseded), "discarded": ended(progress.discarded),
            "visited": visits?.visited, "known": visits?.total, "pages": visits?.pages,
            "references": visits?.references, "targets": targets,
        ])
    }

    /// All on one line.
    var line: String {
        var parts: [String] = []
        if let visits {
            parts.append(
                "\(visits.visited)/\(visits.total) URLs, \(CountText.of(visits.pages, "page")), "
                    + CountText.of(visits.references, "reference"))
            if let broken = visits.targets[.broken] { parts.append("\(broken) broken") }
        }
        if isCounted {
            parts.append(
                "\(CountText.of(progress.completed, "job")) completed, "
                    + "\(progress.cancelled) cancelled, \(progress.superseded) superseded, "
                    + "\(progress.discarded) discarded")
        } else {
            let left = CountText.of(progress.unfinished, "job")
            parts.append("\(left) to do, \(progress.running) running")
        }
        if progress.held > 0 { parts.append("\(progress.held) held") }
        if let refusal = progress.followUpRefused {
            parts.append("what was to follow was refused: \(refusal)")
        }
        return parts.joined(separator: ", ")
    }

    /// One below the other.
    var text: String {
        if let drawing { return drawing }
        var sheet = Sheet()
        sheet.add("batch", batch.uuidString.lowercased())
        sheet.add("state", progress.state.rawValue)
        sheet.add("started", TimeText.full(progress.startedAt))
        let whom = progress.cancelledBy.map { " by \($0)" } ?? ""
        sheet.add("cancelled", progress.cancelledAt.map { TimeText.full($0) + whom })
        sheet.add("ended", progress.endedAt.map { TimeText.full($0) })
        sheet.add("follow-up", progress.followUpRefused.map { "refused: \($0)" })
        sheet.add(
            "unfinished",
            "\(progress.unfinished), of which \(progress.running) run and \(progress.held) are held"
        )
        if isCounted {
            sheet.add("jobs completed", "\(progress.completed)")
            sheet.add("jobs cancelled", "\(progress.cancelled)")
            sheet.add("jobs superseded", "\(progress.superseded)")
            sheet.add("jobs discarded", "\(progress.discarded)")
        }
        if let visits {
            sheet.add("URLs", "\(visits.visited) visited of \(visits.total) known")
            sheet.add("pages", "\(visits.pages)")
            sheet.add("references", "\(visits.references)")
        }
        return sheet.text
    }
}

extension BatchLook: TableRow {
    static let titles = [
        "batch", "state", "started", "unfinished", "running", "held", "follow-up",
    ]

    var cells: [String?] {
        [
            batch.uuidString.lowercased(), progress.state.rawValue,
            TimeText.relative(progress.startedAt), "\(progress.unfinished)",
            "\(progress.running)", "\(progress.held)",
            progress.followUpRefused.map { "refused: \($0)" },
        ]
    }
}
