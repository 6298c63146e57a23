import ArgumentParser
import Content
import Tenure

struct HostList: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List hosts with their limits, jobs and holds.",
        discussion: """
            Example:
              tenure host list --busy --json
            """)

    @Flag(help: "Only those with jobs, a hold or limits that somebody set.") var busy = false
    @Option(help: "At most so many, by name.") var limit = 1000
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var queue: HostQueue
    @OptionGroup var common: CommonFlags

    func validate() throws {
        guard (1...100_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); give 1 to 100000")
        }
    }

    func execute() async throws {
        let hosts = try await Database.product(common) { database in
            try await queue.hosts(database).list(onlyBusy: busy, limit: limit)
        }
        if json { return Terminal.output(try JSONText.encode(hosts.map(HostOutput.init))) }
        if hosts.isEmpty {
            return Terminal.output("no hosts: no fetch and no check has asked one yet")
        }
        var table = Table(
            "host", "at a time", "every", "set by", "running", "due", "later", "on hold until",
            "reason")
        for host in hosts {
            let lane = host.lane
            table.add(
                host.host + (host.isOwn ? " (own)" : ""), lane?.maxRunning.map { "\($0)" },
                lane?.minInterval.map { DurationText.format($0) }, lane?.setBy,
                "\(lane?.running ?? 0)", "\(lane?.due ?? 0)", "\(lane?.later ?? 0)",
                lane?.heldUntil.map { TimeText.full($0) }, lane?.holdReason)
        }
        Terminal.output(table.text)
    }
}
