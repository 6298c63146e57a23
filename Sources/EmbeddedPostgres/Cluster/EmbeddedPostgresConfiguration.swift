import TenureSystem

/// Where a private PostgreSQL lives and how it runs.
public struct EmbeddedPostgresConfiguration: Sendable {
    /// What the server gives up for speed.
    public enum Profile: Sendable, Hashable {
        /// Durable as in production.
        case durable
        /// As durable, but sized for many small databases and connections, and made faster.
        case tests
        /// Loses data when the machine goes down. Only for what can be thrown away.
        case disposable
    }

    /// The folder that holds the cluster, its socket and its log; made on the first start.
    public var folder: String
    /// A port on 127.0.0.1 for the user `tenure`, whose password is in the folder's file
    /// `password`; `nil` listens on the private socket alone.
    public var port: Int?
    /// Settings for `postgresql.conf`; they win over the profile's.
    public var settings: [String: String]
    public var profile: Profile
    /// Remove the folder when the server is stopped or its owner ends, however it ends.
    public var isTemporary: Bool
    /// How long a start may take, crash recovery included.
    public var startTimeout: Duration
    /// Variables for the server alone; for tests that preload a library into it.
    package var environment: [String: String] = [:]

    public init(
        folder: String = ".tenure/postgres", port: Int? = nil, settings: [String: String] = [:],
        profile: Profile = .durable, isTemporary: Bool = false,
        startTimeout: Duration = .seconds(60)
    ) {
        self.folder = folder
        self.port = port
        self.settings = settings
        self.profile = profile
        self.isTemporary = isTemporary
        self.startTimeout = startTimeout
    }

    /// A cluster for tests in a new folder under the system's temporary one, removed at the end.
    public static func temporary() -> EmbeddedPostgresConfiguration {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        return EmbeddedPostgresConfiguration(
            folder: "\(base)/tenure-\(name)", profile: .tests, isTemporary: true)
    }
}
