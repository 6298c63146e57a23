internal import TenureSystem

/// Where the database is, and how its connections behave.
///
/// Printing a configuration never shows the password.
public struct PostgresConfiguration: Sendable {
    /// Which schema stands behind a qualifier: with `["tenure": "tenure_test"]` every `tenure.` in
    /// the SQL is sent as `"tenure_test".`, inside literals and function bodies too. Empty: as
    /// written. Names may not hold quotes, backslashes or NUL.
    public var schemas: [String: String] = [:]
    /// Named prepared statements and startup options. A pooler takes neither: one that names other
    /// processes than the server's, as PgBouncer does, is found out when a connection is made, and
    /// they are left out there. False leaves them out everywhere, for poolers that hide better.
    public var preparesStatements = true
    /// What `pg_stat_activity` shows.
    public var applicationName: String
    /// For each host, authentication included. Whole seconds, at least 2, as libpq has it.
    public var connectTimeout: Duration = .seconds(5)
    /// How long a call may take that brings no deadline of its own.
    public var statementDeadline: Duration = .seconds(30)
    /// A silent peer is probed after this, and given up after three more seconds.
    public var keepaliveIdle: Duration = .seconds(2)
    /// How long sent data may stay unacknowledged. Keepalives don't cover that case.
    public var tcpUserTimeout: Duration = .seconds(5)
    /// The server ends a transaction that does nothing for so long; its locks would hide rows.
    public var idleInTransactionTimeout: Duration = .seconds(60)
    /// How often the server looks whether the client of a running statement is still there.
    public var clientCheckInterval: Duration = .seconds(5)
    /// Whose thread reads the connections.
    public var reactor = PostgresReactor.shared

    /// As given, keyword by keyword. Holds the password.
    private var options: [String: String]

    /// Reads a connection string: keywords and values, or a `postgresql://` URI, several hosts and
    /// `target_session_attrs` included. What it leaves out comes from the `PG*` variables.
    ///
    /// - Throws: `PostgresError` (`.invalidConfiguration`), which doesn't quote the string.
    public init(_ conninfo: String = "") throws {
        options = try Conninfo.parse(conninfo)
        applicationName =
            options["application_name"]
            ?? getenv("PGAPPNAME").map { String(cString: $0) } ?? "tenure"
    }
}

extension PostgresConfiguration {
    /// What goes to libpq: what was given wins over the settings here.
    var connectParameters: [String: String] { connectParameters(startupOptions: true) }

    /// - Parameter startupOptions: false leaves ours out; what was given stays.
    func connectParameters(startupOptions isWith: Bool) -> [String: String] {
        var parameters = [
            "connect_timeout": String(max(2, connectTimeout.components.seconds)),
            "keepalives_idle": String(max(1, keepaliveIdle.components.seconds)),
            "keepalives_interval": "1",
            "keepalives_count": "3",
            "tcp_user_timeout": String(tcpUserTimeout.wholeNanoseconds / 1_000_000),
        ]
        parameters.merge(options) { _, given in given }
        parameters["application_name"] = applicationName
        parameters["client_encoding"] = "UTF8"
        if preparesStatements, isWith { parameters["options"] = startupOptions }
        return parameters
    }

    /// Ours first: the last one given wins. No statement here runs long enough to be worth the
    /// tens of milliseconds for which PostgreSQL compiles one that it thinks dear, each time anew.
    private var startupOptions: String {
        let ours = """
            -c idle_in_transaction_session_timeout=\(milliseconds(idleInTransactionTimeout)) \
            -c client_connection_check_interval=\(milliseconds(clientCheckInterval)) -c jit=off
            """
        let theirs = options["options"] ?? getenv("PGOPTIONS").map { String(cString: $0) }
        return theirs.map { "\(ours) \($0)" } ?? ours
    }

    private func milliseconds(_ duration: Duration) -> Int64 {
        duration.wholeNanoseconds / 1_000_000
    }
}

extension PostgresConfiguration {
    /// The same server and settings, another database.
    package func database(_ name: String) -> PostgresConfiguration {
        var other = self
        other.options["dbname"] = name
        return other
    }

    /// The same server and settings, another user, who brings a password. What proves this one's
    /// own user may still prove something to the server: `PostgresConnection.usedPassword` says
    /// whether it asked for the password at all.
    package func user(_ name: String, password: String) -> PostgresConfiguration {
        var other = self
        other.options["user"] = name
        other.options["password"] = password
        return other
    }

    /// All that libpq would connect with, the environment's part included, for programs of
    /// PostgreSQL's own. Holds the password.
    package var completeOptions: [String: String] {
        Conninfo.defaults().merging(options) { _, given in given }
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    public var description: String {
        let shown = ["host", "hostaddr", "port", "dbname", "user", "sslmode"]
        let parts = shown.compactMap { name in options[name].map { "\(name)=\($0)" } }
        return parts.isEmpty ? "(from the environment)" : parts.joined(separator: " ")
    }

    public var debugDescription: String { "PostgresConfiguration(\(description))" }

    public var customMirror: Mirror { Mirror(self, children: ["connection": description]) }
}
