/// Turns what libpq says about a failed connect into an error that says what to do.
///
/// libpq hands out no SQLSTATE before a connection stands, so the known ones are read off the text.
enum ConnectFailure {
    private struct Known {
        let fragment: String
        let sqlState: String?
        let advice: String
    }

    static func error(_ libpqMessage: String) -> PostgresError {
        let message = libpqMessage.replacingNewlines()
        let known = table.first { message.contains($0.fragment) }
        return PostgresError(
            .connectFailed, "can't connect: \(message)", sqlState: known?.sqlState,
            hint: known?.advice)
    }

    static func refusesOptions(_ error: PostgresError) -> Bool {
        error.message.contains(startupRefusal)
    }

    private static let startupRefusal = "unsupported startup parameter"

    /// A server that takes encrypted connections alone answers as one that knows no such user.
    private static let letIn =
        "If the server wants encryption: sslmode=verify-full, or require; else allow this "
        + "host, user and database in its pg_hba.conf"

    private static let table = [
        Known(
            fragment: "password authentication failed", sqlState: "28P01",
            advice: "Check the user and the password (connection string, PGPASSWORD, ~/.pgpass)"),
        Known(
            fragment: "no password supplied", sqlState: "28P01",
            advice: "Give a password (connection string, PGPASSWORD, ~/.pgpass)"),
        Known(fragment: "no pg_hba.conf entry", sqlState: "28000", advice: letIn),
        Known(fragment: "pg_hba.conf rejects connection", sqlState: "28000", advice: letIn),
        Known(
            fragment: "authentication failed", sqlState: "28000",
            advice: "Check the user and the server's pg_hba.conf"),
        Known(
            fragment: "too many clients", sqlState: "53300",
            advice: "Use smaller pools, or raise the server's max_connections"),
        Known(
            fragment: "remaining connection slots are reserved", sqlState: "53300",
            advice: "Use smaller pools, or raise the server's max_connections"),
        Known(
            fragment: "the database system is", sqlState: "57P03",
            advice: "The server is starting, stopping or recovering: try again in a moment"),
        Known(
            fragment: "Connection refused", sqlState: nil,
            advice: "Is PostgreSQL running there, and does it listen on that host and port?"),
        Known(
            fragment: "No such file or directory", sqlState: nil,
            advice: "Is PostgreSQL running, and is that its socket directory?"),
        Known(
            fragment: "could not translate host name", sqlState: nil,
            advice: "Check the host's name and the resolver"),
        Known(
            fragment: "timeout expired", sqlState: nil,
            advice: "Check the address, the firewall and connect_timeout"),
        Known(
            fragment: "session is read-only", sqlState: nil,
            advice: "No host of the connection string takes writes right now"),
        Known(
            fragment: "does not support SSL", sqlState: nil,
            advice: "Turn TLS on in the server, or choose another sslmode"),
        Known(
            fragment: "invalid integer value", sqlState: "22023",
            advice: "Give this setting of the connection a smaller number"),
        Known(
            fragment: "invalid value for parameter", sqlState: "22023",
            advice: "Give this setting of the connection a value in its range"),
        Known(
            fragment: startupRefusal, sqlState: "08P01",
            advice: "A pooler is in between: leave options out of the connection string and of "
                + "PGOPTIONS, or connect directly"),
        Known(
            fragment: "database \"", sqlState: "3D000",
            advice: "Create it (createdb), or check the name in the connection string"),
        Known(
            fragment: "role \"", sqlState: "28000",
            advice: "Create the role (createuser), or check the user in the connection string"),
    ]
}
