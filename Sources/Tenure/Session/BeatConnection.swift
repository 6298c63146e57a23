package import TenurePostgres

extension PostgresReactor {
    /// The thread that carries every beat of this process, and nothing that could hold one up.
    package static let beats = PostgresReactor(name: "tenure-beat")
}

extension PostgresConfiguration {
    /// The same database, on the heartbeats' thread.
    package func forBeats() -> PostgresConfiguration {
        var configuration = self
        configuration.reactor = .beats
        configuration.applicationName += " beat"
        return configuration
    }
}
