import ArgumentParser
import Tenure

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Show what became of a key's jobs, and signal to them.",
        discussion: """
            Example:
              tenure key show content-fetch "article https://example.org/"
            """,
        subcommands: [KeyShow.self, KeySignal.self])
}

struct KeyShow: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the generations of a key and what became of each.",
        discussion: """
            Every job of a key gets a generation, a number that only grows. Superseding raises \
            the floor: jobs below it can't commit any more. History forgets by and by, so early \
            ones may be gone. A fetch's key is its mode and its URL.

            Example:
              tenure key show content-fetch "article https://example.org/"
            """)

    @Argument(help: "The kind of job.") var kind: String
    @Argument(help: "The key.") var key: String
    @Option(help: "At most so many generations, 1 to 10000.") var limit = ListLimit.usual
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        try ListLimit.check(limit, in: 1...10_000)
    }

    func report(_ database: Database) async throws -> KeyReport {
        let story = try await database.inspector.key(key, of: JobKind(kind), limit: limit)
        if story.subject == nil, story.jobs.isEmpty {
            throw Failure(
                "no job of kind \(kind) has the key \"\(key)\", or it was forgotten; look with: "
                    + "tenure job list --finished --kind \(kind)")
        }
        return KeyReport(kind: kind, key: key, story: story)
    }
}

/// The generations of a key.
struct KeyReport: Report {
    let kind: String
    let key: String
    let story: KeyStory

    func encode(to encoder: any Encoder) throws {
        try encoder.write([
            "kind": kind, "key": key, "subject": story.subject, "generations": story.jobs,
        ])
    }

    var text: String {
        let jobs =
            story.jobs.isEmpty
            ? "history has dropped its jobs" : Table(story.jobs, longest: 60).text
        return sheet + "\n\n" + jobs
    }

    private var sheet: String {
        var sheet = Sheet()
        sheet.add("kind", kind)
        sheet.add("key", key)
        guard let subject = story.subject else {
            sheet.add("subject", "forgotten: nobody has touched the key for a day")
            return sheet.text
        }
        sheet.add("issued", "up to generation \(subject.issued)")
        sheet.add(
            "floor",
            subject.floor.rawValue == 0
                ? "none: any generation may commit" : "older than \(subject.floor) can't commit")
        sheet.add(
            "committed",
            subject.committed.rawValue == 0 ? "none yet" : "generation \(subject.committed)")
        return sheet.text
    }
}

extension KeyJob: TableRow {
    static let titles = ["generation", "job", "state", "runs", "made", "ended", "why"]

    var cells: [String?] {
        [
            summary.generation.map { "\($0)" }, "\(summary.id)", summary.stateText, "\(runs)",
            TimeText.relative(summary.createdAt),
            summary.finishedAt.map { TimeText.relative($0) }, reason,
        ]
    }
}
