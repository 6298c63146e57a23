import Tenure

/// What the server's own settings say.
struct ServerChecks {
    private let health: DatabaseHealth
    private let settings: Settings

    init(_ health: DatabaseHealth, settings: Settings) {
        self.health = health
        self.settings = settings
    }

    var all: [Finding] { [version, role, commit, isolation, fsync, pages, connections] }

    private var version: Finding {
        let text = "PostgreSQL \(health.version / 10_000).\(health.version % 10_000)"
        return switch health.version {
        case ..<140_000: .fail("server", text, "Use PostgreSQL 15 or later")
        case ..<150_000: .warn("server", text, "Nobody has tested it: use PostgreSQL 15 or later")
        default: .ok("server", text)
        }
    }

    private var role: Finding {
        health.isReadOnly
            ? .fail("role", "read-only", "Connect to the primary: target_session_attrs=read-write")
            : .ok("role", "takes writes")
    }

    private var commit: Finding {
        switch health.synchronousCommit {
        case "off":
            .warn(
                "synchronous_commit", "off",
                "The queue raises it for its own transactions; set it to on for yours")
        case let value: .ok("synchronous_commit", value)
        }
    }

    private var isolation: Finding {
        let name = "default_transaction_isolation"
        let mine = health.defaultIsolation
        if mine == "read committed", health.otherIsolations.isEmpty { return .ok(name, mine) }
        let others = health.otherIsolations.joined(separator: ", ")
        return .warn(
            name, others.isEmpty ? mine : "\(mine) (\(others))",
            "The queue's own statements run at read committed; transactions of yours that enqueue "
                + "may be refused (40001) and are to be run again. If nothing needs it: ALTER ROLE "
                + "… SET default_transaction_isolation = 'read committed'")
    }

    private var fsync: Finding {
        health.fsync
            ? .ok("fsync", "on")
            : .fail("fsync", "off", "A crash of the machine loses jobs: set it to on")
    }

    private var pages: Finding {
        health.fullPageWrites
            ? .ok("full_page_writes", "on")
            : .fail(
                "full_page_writes", "off",
                "A crash can tear pages: set it to on, unless the file system is copy-on-write")
    }

    private var connections: Finding {
        let free = health.maxConnections - health.reservedConnections
        let text =
            "\(health.connections) of \(free), and \(health.reservedConnections) for superusers"
        let room = free - health.connections
        return room > settings.poolSize + 2
            ? .ok("connections", text)
            : .warn(
                "connections", text,
                "A worker wants \(settings.poolSize + 2): lower --pool-size or raise "
                    + "max_connections")
    }
}
