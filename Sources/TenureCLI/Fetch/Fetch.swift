import ArgumentParser
import Content
import FoundationEssentials
import Tenure

struct Fetch: TenureCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fetch a URL and keep what it brings.",
        discussion: """
            The job is enqueued for the workers that run. With --wait the command waits for it, \
            and starts a worker of its own where none runs. The same URL is never fetched twice \
            at a time; --force takes the place of a fetch that is under way.

            Example:
              tenure fetch https://example.org/ --wait
              tenure fetch https://example.org/ --mode metadata --force

            Exit codes: 0 fetched, 1 it brought nothing, 2 could not do it, 3 cancelled.
            """)

    enum Mode: String, ExpressibleByArgument { case article, metadata }

    @OptionGroup var common: CommonFlags
    @Argument(help: "http://… or https://…") var url: String
    @Option(help: "article: with its body; metadata: without.") var mode = Mode.article
    @Flag(help: "Ask although what is known is fresh.") var force = false
    @Flag(help: "Wait until it is done, and print what is known then.") var wait = false
    @Flag(help: "Print JSON.") var json = false

    func execute() async throws {
        let settings = try await common.settings()
        let allowed = try settings.product.text("allow")?.split(separator: ",").map(String.init)
        let fetch = try ContentFetch(
            checking: url, mode: mode == .article ? .article : .metadata, force: force,
            allowed: allowed ?? [])
        try await Database.with(settings, absent: .isMade) { database in
            try await database.prepareForCheck()
            try await run(fetch, database)
        }
    }

    private func run(_ fetch: ContentFetch, _ database: Database) async throws {
        let key: KeyMode = force ? .superseding(fetch.key) : .keeping(fetch.key)
        guard wait else {
            let id = try await database.client.enqueue(
                fetch, key, options: options(fetch, database)
            ).id
            return Terminal.output("\(id)")
        }
        let crew = Crew(database: database, common: common, lease: "6s")
        let count = try await min(crew.wanted(), 1)
        let job = try await database.client.enqueue(
            fetch, key, options: options(fetch, database)
        ).id
        let detail = try await withThrowingTaskGroup(of: JobDetail?.self) { group in
            defer { group.cancelAll() }
            for number in 0..<count {
                group.addTask {
                    try await crew.child(number + 1, .default).run()
                    return nil
                }
            }
            group.addTask { try await finished(job, database) }
            for try await step in group { if let step { return step } }
            throw CancellationError()
        }
        try await show(fetch, detail, database)
    }

    /// In the lane of its host.
    private func options(_ fetch: ContentFetch, _ database: Database) throws -> EnqueueOptions {
        fetch.options(try ContentConfiguration(database.settings.product))
    }

    private func finished(_ job: JobID, _ database: Database) async throws -> JobDetail {
        while true {
            guard let detail = try await database.inspector.job(job) else {
                throw Failure("job \(job) is not to be found")
            }
            if detail.summary.status.isFinished { return detail }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func show(
        _ fetch: ContentFetch, _ job: JobDetail, _ database: Database
    ) async throws {
        guard job.summary.status == .completed else {
            let why = job.reason ?? job.errors.last?.message ?? ""
            throw Failure("the fetch was \(job.summary.status.rawValue): \(why)")
        }
        guard let item = try await Items(pool: database.pool).item(url: fetch.url) else {
            throw Failure("nothing is known of \(fetch.url)")
        }
        Terminal.output(json ? try JSONText.encode(item) : ItemText.text(item))
        if item.outcome != "stored", item.outcome != "unchanged" {
            throw ExitCode(Exit.findings)
        }
    }
}

enum ItemText {
    static func text(_ item: Item) -> String {
        var sheet = Sheet()
        sheet.add("url", item.url)
        sheet.add("outcome", item.outcome)
        sheet.add("status", item.status.map(String.init))
        if item.finalURL != item.url { sheet.add("final url", item.finalURL) }
        sheet.add("title", item.title)
        sheet.add("type", item.mediaType)
        sheet.add("charset", item.charset)
        sheet.add("bytes", item.bytes.map(String.init))
        sheet.add("sha256", item.hash)
        sheet.add("references", String(item.references))
        sheet.add("anchors", String(item.anchors))
        sheet.add("fetched", item.fetchedAt.map { TimeText.full($0) })
        return sheet.text
    }
}
