import ArgumentParser
package import Logging

/// The flags of every command. All are texts: they are read where all settings are read.
package struct CommonFlags: ParsableArguments {
    package init() {}

    @Option(help: "Where the database is: postgresql://… or key=value pairs.")
    var databaseURL: String?

    @Option(help: "The schema that holds the queue. (default: tenure)")
    var schema: String?

    @Option(help: "The most connections to the database, 1 to 1000. (default: 10)")
    var poolSize: String?

    @Flag(inversion: .prefixedNo, help: "A pooler is in between. (default: found out)")
    var pooler: Bool?

    @Option(help: "Where a private PostgreSQL lives. (default: .tenure/postgres)")
    var folder: String?

    @Option(help: "A JSON file with settings; TENURE_CONFIG names one too.")
    var config: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel: String?

    @Option(help: "text or json. (default: text)")
    var logFormat: String?

    var values: [Setting: String] {
        var values: [Setting: String] = [:]
        values[.databaseURL] = databaseURL
        values[.schema] = schema
        values[.poolSize] = poolSize
        values[.pooler] = pooler.map(String.init)
        values[.folder] = folder
        values[.logLevel] = logLevel
        values[.logFormat] = logFormat
        return values
    }

    /// Reads all settings, and sets up logging.
    package func settings(
        _ more: [Setting: String] = [:], product: [String: String] = [:],
        logLevel: Logger.Level = .error
    ) async throws -> Settings {
        let flags = values.merging(more) { _, new in new }
        let settings = try Settings(
            await SettingSources(flags: flags, product: product, file: config),
            logLevel: logLevel)
        LogOutput.start(settings.logLevel, settings.logFormat)
        // Before anything is counted.
        if settings.metricsPort != nil { _ = MeterRegistry.shared }
        return settings
    }
}
