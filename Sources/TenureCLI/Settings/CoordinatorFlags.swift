import ArgumentParser

/// The flags of whatever runs a coordinator.
struct CoordinatorFlags: ParsableArguments {
    @Option(help: "How often schedules and sites are looked at. (default: 1s)")
    var tick: String?

    @Option(help: "Processes in a row that a kind may bring down; 0: any number. (default: 5)")
    var breakerDeaths: String?

    @Option(help: "How long such a death is remembered. (default: 10m)")
    var breakerWindow: String?

    @Option(help: "How long completed, cancelled and superseded jobs are kept. (default: 1d)")
    var keepEnded: String?

    @Option(help: "How long discarded jobs are kept. (default: 7d)")
    var keepDiscarded: String?

    @Option(help: "How long it is kept who did what. (default: 90d)")
    var keepActions: String?

    var values: [Setting: String] {
        var values: [Setting: String] = [:]
        values[.tick] = tick
        values[.breakerDeaths] = breakerDeaths
        values[.breakerWindow] = breakerWindow
        values[.keepEnded] = keepEnded
        values[.keepDiscarded] = keepDiscarded
        values[.keepActions] = keepActions
        return values
    }
}
