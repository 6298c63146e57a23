import ArgumentParser
import Content
import Tenure
import TenureFoundation

struct BatchWatch: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Watch a batch until it has ended.",
        discussion: """
            With --json every look is one line, the last one with all numbers. To interrupt it \
            stops the watching, not the batch: for that see tenure batch cancel.

            Example:
              tenure batch watch 0199f3a2-7c1e-7b4e-9d53-2f1c5d0a8e11
              tenure batch watch 0199f3a2-7c1e-7b4e-9d53-2f1c5d0a8e11 --json --every 1s

            Exit codes: 0 clean, 1 findings, discarded jobs or a refused follow-up, 2 no such \
            batch, 3 cancelled.
            """)

    @OptionGroup var common: CommonFlags
    @Argument(help: "The batch's id, as batch list prints it.", transform: JobArgument.batch)
    var batch: UUID
    @Flag(help: "Print a line of JSON for each look.") var json = false
    @Option(help: "The longest time between two looks.") var every = "500ms"

    func execute() async throws {
        let id = batch
        guard let pause = DurationText.parse(every), pause >= .milliseconds(50) else {
            throw Failure("--every is \"\(every)\"; give at least 50ms, such as 500ms or 2s")
        }
        let settings = try await common.settings()
        try await Database.with(settings) { database in
            defer { Terminal.endProgress() }
            let check = SiteCheck(pool: database.pool, client: database.client)
            let end = try await database.client.end(ofBatch: id, lookEvery: pause) { live in
                show(BatchLook(id, live, try await check.visits(id)))
            }
            Terminal.endProgress()
            let visits = try await check.visits(id)
            let last = BatchLook(id, end, visits, counted: true)
            Terminal.output(json ? try JSONText.line(last) : last.line)
            if end.cancelledAt != nil { throw ExitCode(Exit.cancelled) }
            if end.discarded > 0 || end.followUpRefused != nil { throw ExitCode(Exit.findings) }
            if visits != nil, try await !check.report(id).confirmed.isEmpty {
                throw ExitCode(Exit.findings)
            }
        }
    }

    private func show(_ look: BatchLook) {
        if !json { return Terminal.progress(look.line) }
        do {
            Terminal.output(try JSONText.line(look))
        } catch {
            Terminal.error("tenure: a line could not be written: \(error)")
        }
    }
}
