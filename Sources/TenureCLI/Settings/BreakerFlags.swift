import ArgumentParser

/// When a coordinator pauses a kind by itself.
struct BreakerFlags: ParsableArguments {
    @Option(help: "Processes in a row that a kind may bring down; 0: any number. (default: 5)")
    var breakerDeaths: String?

    @Option(help: "How long such a death is remembered. (default: 10m)")
    var breakerWindow: String?

    var values: [Setting: String] {
        var values: [Setting: String] = [:]
        values[.breakerDeaths] = breakerDeaths
        values[.breakerWindow] = breakerWindow
        return values
    }
}
