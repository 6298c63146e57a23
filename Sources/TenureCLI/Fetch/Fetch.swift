import ArgumentParser
import Content
import Tenure
import TenureFoundation

struct Fetch: TenureCommand {
    static let configuration = CommandConfiguration(
        abstract: "Fetch a URL and keep what it brings.",
        discussion: """
            The job is enqueued for the workers that run. With --wait the command waits for it, \
            and starts a worker of its own where none runs. The same URL is never fetched twice \
            at a time; --force takes the place of a fetch that is under way. What looks wrong \
            (far fewer words, a consent wall) is kept beside the old content; --merge replace \
            takes it. What a person edited stays either way. Of what a document refers to, what \
            nobody has looked at yet is checked some seconds later: with a contact, or where the \
            host is one's own.

            Example:
              tenure fetch https://example.org/ --wait
              tenure fetch https://example.org/ --mode metadata --force
              tenure fetch https://example.org/a.iso --mode file --wait

            Exit codes: 0 fetched, 1 it brought nothing, 2 could not do it, 3 cancelled.
            """)

    enum Mode: String, ExpressibleByArgument { case article, metadata, file }
    enum Merge: String, ExpressibleByArgument { case defensive, replace }

    @OptionGroup var common: CommonFlags
    @OptionGroup var web: WebFlags
    @Argument(help: "http://… or https://…") var url: String
    @Option(help: "article: with its body; metadata: without; file: its bytes, however many.")
    var mode = Mode.article
    @Option(help: "defensive or replace.") var merge = Merge.defensive
    @Flag(help: "Ask although what is known is fresh.") var force = false
    @Flag(help: "Wait until it is done, and print what is known then.") var wait = false
    @Flag(help: "Print JSON.") var json = false

    func execute() async throws {
        let settings = try await common.settings(product: web.values)
        _ = try ContentConfiguration(settings.product)
        let fetch = try ContentFetch(
            checking: url, mode: ContentFetch.Mode(rawValue: mode.rawValue) ?? .article,
            force: force, merge: merge == .replace ? .replace : .defensive,
            allowed: try ProductSettings.blocks(settings.product))
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
        let crew = Crew(
            database: database, common: common, lease: "6s", environment: web.environment)
        let job = try await database.client.enqueue(
            fetch, key, options: options(fetch, database)
        ).id
        do {
            let detail = try await withThrowingTaskGroup(of: JobDetail?.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    try await crew.standIn(for: ContentFetch.kind, in: .default)
                    return nil
                }
                group.addTask { try await finished(job, database) }
                for try await step in group { if let step { return step } }
                throw CancellationError()
            }
            try await show(fetch, detail, database)
        } catch is CancellationError {
            Terminal.error(
                "tenure: stopped waiting; the job stays: to end it, tenure job cancel \(job)")
            throw CancellationError()
        }
    }

    /// In the lane of its host.
    private func options(_ fetch: ContentFetch, _ database: Database) throws -> EnqueueOptions {
        fetch.options(try ContentConfiguration(database.settings.product))
    }

    private func finished(_ job: JobID, _ database: Database) async throws -> JobDetail {
        defer { Terminal.endProgress() }
        var failures = 0
        while true {
            guard let detail = try await database.inspector.job(job) else {
                throw Failure("job \(job) is not to be found")
            }
            if detail.summary.status.isFinished { return detail }
            if detail.errors.count > failures, let last = detail.errors.last {
                failures = detail.errors.count
                Terminal.endProgress()
                Terminal.error(
                    "tenure: attempt \(last.attempt) of \(detail.summary.maxAttempts) failed: "
                        + "\(last.message)")
            }
            let isDue = detail.summary.runAt <= Date()
            Terminal.progress(
                "job \(job): \(detail.summary.status.rawValue)"
                    + (isDue ? "" : ", next \(TimeText.relative(detail.summary.runAt))"))
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
        let items = Items(pool: database.pool)
        guard let item = try await items.item(url: fetch.url) else {
            throw Failure("nothing is known of \(URLRedaction.text(fetch.url))")
        }
        // A skipped one that was fresh made no request, and is not among them.
        let last = try await items.fetches(of: item, limit: 10).first {
            $0.job == job.summary.id.uuid
        }
        try Terminal.report(ItemReport(item: item, last: last), json: json)
        let isKept = last?.code == nil || last?.outcome == .moved
        let brought: Set<FetchOutcome> = [.stored, .unchanged, .moved]
        if let last, !brought.contains(last.outcome) || !isKept { throw ExitCode(Exit.findings) }
    }
}
