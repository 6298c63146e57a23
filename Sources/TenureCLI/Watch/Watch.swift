import ArgumentParser
import Content
import FoundationEssentials
import Tenure

struct Watch: TenureCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch a run until it has ended.",
        discussion: """
            A run is a tree of jobs: a check of a site, or what your own program started. With \
            --json every look is one line, the last one with all numbers. To interrupt it stops \
            the watching, not the run; --cancel stops the run with all of its jobs, and watches \
            it end.

            Example:
              tenure watch 0199f3a2-7c1e-7b4e-9d53-2f1c5d0a8e11
              tenure watch 0199f3a2-7c1e-7b4e-9d53-2f1c5d0a8e11 --json --every 1s
              tenure watch 0199f3a2-7c1e-7b4e-9d53-2f1c5d0a8e11 --cancel

            Exit codes: 0 clean, 1 findings, discarded jobs or a refused follow-up, 2 no such run, \
            3 cancelled.
            """)

    @OptionGroup var common: CommonFlags
    @Argument(help: "The run's id, as check --format json prints it.") var run: String
    @Flag(help: "Cancel the run first.") var cancel = false
    @Flag(help: "Print a line of JSON for each look.") var json = false
    @Option(help: "The longest time between two looks.") var every = "500ms"

    func execute() async throws {
        guard let id = UUID(uuidString: run) else {
            throw Failure("RUN is \"\(run)\"; give an id, as tenure check --format json prints it")
        }
        guard let pause = DurationText.parse(every), pause >= .milliseconds(50) else {
            throw Failure("--every is \"\(every)\"; give at least 50ms, such as 500ms or 2s")
        }
        let settings = try await common.settings()
        try await Database.with(settings) { database in
            defer { Terminal.endProgress() }
            let check = SiteCheck(pool: database.pool, client: database.client)
            if cancel { try await stop(id, check, database) }
            let end = try await database.client.end(ofRun: id, lookEvery: pause) { live in
                show(WatchLine(id, live, try await check.visits(id)))
            }
            Terminal.endProgress()
            let visits = try await check.visits(id)
            let last = WatchLine(id, end, visits, counted: true)
            Terminal.output(json ? try OneLine.encode(last) : last.text)
            if end.cancelledAt != nil { throw ExitCode(Exit.cancelled) }
            if end.discarded > 0 || end.followUpRefused != nil { throw ExitCode(Exit.findings) }
            if visits != nil, try await !check.report(id).confirmed.isEmpty {
                throw ExitCode(Exit.findings)
            }
        }
    }

    private func stop(_ run: UUID, _ check: SiteCheck, _ database: Database) async throws {
        guard try await check.visits(run) == nil else {
            return try await check.cancel(run, by: Whom.name)
        }
        try await Operator(client: database.client, as: Whom.name).cancel(run: run)
    }

    private func show(_ line: WatchLine) {
        if !json { return Terminal.progress(line.text) }
        do {
            Terminal.output(try OneLine.encode(line))
        } catch {
            Terminal.error("tenure: a line could not be written: \(error)")
        }
    }
}
