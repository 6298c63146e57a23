import ArgumentParser
import FoundationEssentials
import Tenure

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Show what became of a key's jobs.",
        discussion: """
            Example:
              tenure key show content-fetch "article https://example.org/"
            """,
        subcommands: [KeyShow.self])
}

struct KeyShow: TenureCommand {
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
    @Option(help: "At most so many generations, 1 to 10000.") var limit = 50
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); give 1 to 10000")
        }
    }

    private struct Output: Encodable {
        struct Entry: Encodable {
            let job: JobOutput
            let runs: Int
            @OrNull var worker: String?
            @OrNull var reason: String?
            @OrNull var supersededBy: JobID?
        }

        let kind: String
        let key: String
        @OrNull var subject: JobDetailOutput.Subject?
        let generations: [Entry]
    }

    func execute() async throws {
        let settings = try await common.settings()
        let story = try await Database.current(settings) {
            try await $0.inspector.key(key, of: JobKind(kind), limit: limit)
        }
        if story.subject == nil, story.jobs.isEmpty {
            throw Failure(
                "no job of kind \(kind) has the key \"\(key)\", or it was forgotten; look with: "
                    + "tenure job list --finished --kind \(kind)")
        }
        if json { return Terminal.output(try JSONText.encode(output(story))) }
        Terminal.output(sheet(story))
        if story.jobs.isEmpty {
            return Terminal.output("\nhistory has dropped its jobs")
        }
        var table = Table("generation", "job", "state", "runs", "made", "ended", "why", longest: 60)
        for job in story.jobs {
            let summary = job.summary
            table.add(
                summary.generation.map { "\($0)" }, "\(summary.id)", summary.stateText,
                String(job.runs), TimeText.relative(summary.createdAt),
                summary.finishedAt.map { TimeText.relative($0) }, job.reason)
        }
        Terminal.output("\n" + table.text)
    }

    private func sheet(_ story: KeyStory) -> String {
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

    private func output(_ story: KeyStory) -> Output {
        Output(
            kind: kind, key: key,
            subject: story.subject.map {
                JobDetailOutput.Subject(
                    issued: $0.issued.rawValue, floor: $0.floor.rawValue,
                    committed: $0.committed.rawValue)
            },
            generations: story.jobs.map {
                Output.Entry(
                    job: JobOutput($0.summary), runs: $0.runs, worker: $0.worker,
                    reason: $0.reason, supersededBy: $0.supersededBy)
            })
    }
}
