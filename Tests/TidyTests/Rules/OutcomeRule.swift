/// What became of a job is a type from the statement on: each word is the raw value of one case,
/// and switches are exhaustive. A word that is compared is one that nobody misses when it changes.
extension Rule {
    /// Those that know of jobs.
    private static let targets: Set = [
        "Tenure", "TenureWorker", "TenureCoordinator", "TenureTestKit", "TenureCLI", "Content",
        "TenureBench",
    ]

    /// States, outcomes and answers, as DESIGN and the statements call them.
    private static let words: Set = [
        "scheduled", "available", "running", "claimed", "retryable", "waiting", "held",
        "completed", "cancelled", "superseded", "discarded", "expired", "snoozed", "failed",
        "handed_back", "unbegun", "reclaimed", "late", "lost", "unwritten", "busy", "ended",
        "put back", "unkept", "enqueued", "updated", "kept", "retried", "deleted", "cancelling",
        "finished", "unfinished", "refused", "unknown", "stopping", "stopped", "over", "paused",
        "resumed", "removed", "released",
    ]

    /// What is compared, switched on, or looked up, with the literals beside it.
    private static let comparison: Pattern = {
        #/
        (?:[=!~]=|\bcase|(?:contains|hasPrefix)\(|[\w?]\[)\s*(?:"[^"]*",?\s*)+
        |(?:"[^"]*",?\s*)+(?:[=!~]=|\]\.contains)
        /#
    }

    static let outcomes = perFile(
        "an outcome's word is compared: decode it to a type where the statement is",
        bad: [
            "if became == \"busy\" { wait() }", "guard \"late\" != became else { return }",
            "case \"held\": .held", "case \"a\", \"put back\" where b: c()",
            "if [\"retryable\", \"scheduled\"].contains(became) { wakeUp() }",
            "if tally[\"busy\"] != nil { tell() }", "reason?.hasPrefix(\"expired: \") == true",
        ].map { SourceFile("Sources/TenureCLI/A.swift", $0) },
        good: [
            SourceFile("Sources/Tenure/A.swift", "enum A: String { case putBack = \"put back\" }"),
            SourceFile("Sources/Tenure/A.swift", "// became == \"busy\"\nlet a = b ? \"late\" : c"),
            SourceFile("Sources/Tenure/A.swift", "if a == \"\" { add(\"held\") }"),
            SourceFile("Sources/Web/A.swift", "case \"modified\", \"updated\": date()"),
        ],
        in: { $0.sources.filter { targets.contains($0.target ?? "") } },
        lines: { file in
            let comparison = comparison()
            let lines = file.swift?.uncommented ?? []
            return lines.indices.filter { index in
                lines[index].matches(of: comparison).contains { isOutcome(in: $0.output) }
            }
        })

    private static func isOutcome(in comparison: Substring) -> Bool {
        let pieces = comparison.split(separator: "\"", omittingEmptySubsequences: false)
        // Every second one is a literal.
        return pieces.indices.contains { index in
            index % 2 == 1 && words.contains(String(pieces[index].replacing(": ", with: "")))
        }
    }
}
