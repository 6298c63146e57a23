import ArgumentParser

/// Real processes, a real PostgreSQL, all kinds of faults, and a recording of what happened; the
/// format of the recording is in Tests/History/FORMAT.md.
@main struct FaultRig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault-rig",
        abstract: "Run Tenure under faults and record what happens.",
        subcommands: [
            RunCommand.self, WorkerRole.self, CoordinatorRole.self, ProducerRole.self,
            SinkRole.self,
        ],
        defaultSubcommand: RunCommand.self)
}
