import ArgumentParser
import Content
import Tenure
import TenureFoundation

struct NotifyTest: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a notice that tells of nothing, and see it arrive.",
        discussion: """
            A worker sends it, as it sends all: with its own settings and secrets.

            Example:
              tenure notify test ops

            Exit codes: 0 it arrived, 1 it didn't, 2 could not do it.
            """)

    @Argument(help: "The channel's name.") var name: String
    @Option(help: "How long to wait for a worker to send it.") var timeout = "30s"
    @Option(help: "The queue of the job.") var queue = "default"
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    private struct Output: Encodable {
        let channel: String
        let notice: String
        let arrived: Bool
        @OrNull var error: String?
    }

    func execute() async throws {
        guard let patience = DurationText.parse(timeout), patience > .zero else {
            throw Failure("--timeout is \"\(timeout)\"; give a time such as 10s or 2m")
        }
        let output = try await Database.product(common) { database in
            let id = try await database.channels.test(name, queue: QueueName(queue))
            return try await wait(for: id, database.channels, database.inspector, patience)
        }
        if json {
            Terminal.output(try JSONText.encode(output))
        } else if output.arrived {
            Terminal.line("arrived at \(name): notice \(output.notice)")
        } else {
            Terminal.line(
                "did not arrive at \(name): "
                    + (output.error ?? "nobody has sent it yet"))
        }
        if !output.arrived { throw ExitCode(Exit.findings) }
    }

    private func wait(
        for id: UUID, _ channels: Channels, _ inspector: Inspector, _ patience: Duration
    ) async throws -> Output {
        let end = ContinuousClock.now + patience
        let notice = id.uuidString.lowercased()
        while true {
            switch try await channels.arrival(of: id, at: name) {
            case .sent: return Output(channel: name, notice: notice, arrived: true, error: nil)
            case .unsent(let error?):
                return Output(channel: name, notice: notice, arrived: false, error: error)
            case .unsent(nil) where ContinuousClock.now >= end:
                return Output(
                    channel: name, notice: notice, arrived: false,
                    error: try await reason(of: NoticeSend.key(of: id, to: name), inspector))
            case .unsent(nil): try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// Why nobody has sent it, as ``JobShow`` says it.
    private func reason(of key: String, _ inspector: Inspector) async throws -> String? {
        var filter = JobFilter()
        (filter.kind, filter.key) = (NoticeSend.kind, key)
        guard let job = try await inspector.jobs(filter).first,
            let detail = try await inspector.job(job.id)
        else { return nil }
        let delays = try await inspector.delays(of: detail).map(\.detail)
        return "its job \(job.id) of queue \(queue) waits: " + delays.joined(separator: "; ")
    }
}
