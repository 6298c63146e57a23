extension EmbeddedPostgres {
    /// Copies this server and starts the copy as its standby, which follows until it is promoted.
    /// - Parameter configuration: its folder must be new; one that is temporary goes in any case.
    package func startStandby(
        _ configuration: EmbeddedPostgresConfiguration
    ) async throws -> EmbeddedPostgres {
        let primary = "\(conninfo) application_name=standby"
        try await BlockingThread().run { cancellation in
            let folder = try ClusterFolder.open(configuration.folder)
            let command =
                try PostgresInstallation.find().program("pg_basebackup") + [
                    "--dbname=\(primary)", "--pgdata=\(folder.data)", "--write-recovery-conf",
                    "--checkpoint=fast", "--no-sync",
                ]
            let result = try Command.run(
                command.running(as: folder.user),
                temporary: configuration.isTemporary ? folder.path : "",
                cancellation: cancellation)
            guard result.succeeded else {
                throw EmbeddedPostgresError(
                    .creationFailed,
                    "copying the server to \(folder.path) failed: \(result.output.lastLine)",
                    output: result.output)
            }
        }
        return try await EmbeddedPostgres.start(configuration)
    }
}
