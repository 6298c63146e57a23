import ArgumentParser

/// The flags of whatever can be scraped.
struct MetricsFlags: ParsableArguments {
    @Option(
        help: "Serve /healthz, /readyz and /metrics on this port; 0 is nowhere. (default: 0)")
    var metricsPort: String?

    @Option(help: "The address to serve them on. (default: 127.0.0.1, this machine alone)")
    var metricsHost: String?

    var values: [Setting: String] {
        var values: [Setting: String] = [:]
        values[.metricsPort] = metricsPort
        values[.metricsHost] = metricsHost
        return values
    }
}
