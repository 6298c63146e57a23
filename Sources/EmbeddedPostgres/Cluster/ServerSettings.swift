/// `postgresql.conf`, written anew at every start: what isn't in the configuration doesn't last,
/// except what `ALTER SYSTEM` stores.
struct ServerSettings {
    let values: [String: String]

    init(_ configuration: EmbeddedPostgresConfiguration, sockets: String, port: Int) {
        var values = [
            "cluster_name": "tenure",
            "listen_addresses": configuration.port == nil ? "" : "127.0.0.1",
            "port": "\(port)",
            "unix_socket_directories": "\"\(sockets)\"",
            "unix_socket_permissions": "0700",
            "fsync": "on",
            "full_page_writes": "on",
            "synchronous_commit": "on",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "log_line_prefix": "%m [%p] ",
            "lc_messages": "C",
        ]
        values.merge(Self.profile(configuration.profile)) { $1 }
        values.merge(configuration.settings) { $1 }
        self.values = values
    }

    var text: String {
        values.sorted { $0.key < $1.key }
            .map { "\($0.key) = '\($0.value.doublingQuotes)'\n" }
            .joined()
    }

    private static func profile(
        _ profile: EmbeddedPostgresConfiguration.Profile
    ) -> [String: String] {
        switch profile {
        case .durable: ["max_connections": "200"]
        case .tests: ["max_connections": "600", "shared_buffers": "64MB"]
        case .disposable:
            [
                "max_connections": "600", "shared_buffers": "64MB", "fsync": "off",
                "full_page_writes": "off", "synchronous_commit": "off",
            ]
        }
    }
}

extension String {
    /// A quote inside a quoted value is written twice; a backslash too.
    fileprivate var doublingQuotes: String {
        String(flatMap { $0 == "'" || $0 == "\\" ? [$0, $0] : [$0] })
    }
}
