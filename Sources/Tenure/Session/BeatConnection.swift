package import TenurePostgres

extension PostgresConfiguration {
    /// The same database, on a reactor thread of the heartbeat's own.
    package func forBeats(on reactor: PostgresReactor) -> PostgresConfiguration {
        var configuration = self
        configuration.reactor = reactor
        configuration.applicationName += " beat"
        return configuration
    }
}
