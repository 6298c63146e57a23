import Tenure
import TenureCLI
import TenureFoundation
import TenureSystem

/// What the figures were measured on, and how: the first line of a result.
struct BenchMachine: Codable, Sendable {
    let at: String
    let arguments: [String]
    let scale: String
    let runs: Int
    /// `release`, or `debug`: its figures mean little.
    let build: String
    let cpu: String
    let cores: Int
    let memoryGiB: Double
    let system: String
    /// What else ran on the machine at the start: runnable tasks, over a minute.
    let load: Double
    let postgres: String
    let settings: [String: String]

    init(_ settings: [ServerSetting], arguments: [String], scale: String, runs: Int) {
        at = TimeText.exact(Date())
        self.arguments = arguments
        self.scale = scale
        self.runs = runs
        #if DEBUG
            build = "debug"
        #else
            build = "release"
        #endif
        cpu = System.processorName ?? "unknown"
        cores = System.coreCount
        memoryGiB = (System.memoryBytes / 1_073_741_824).rounded(digits: 3)
        system = System.release
        load = System.load.rounded(digits: 3)
        let values = settings.map { ($0.name, $0.value) }
        var named = Dictionary(values, uniquingKeysWith: { first, _ in first })
        postgres = named.removeValue(forKey: "server_version") ?? "unknown"
        self.settings = named
    }

    /// For people.
    var text: String {
        var sheet = Sheet()
        sheet.add("machine", "\(cores) × \(cpu), \(memoryGiB) GiB, \(system), load \(load)")
        sheet.add("postgresql", postgres)
        let all = settings.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
        sheet.add("settings", all.joined(separator: " "))
        sheet.add("measured", "\(at), \(runs) runs, scale \(scale), \(build) build")
        return sheet.text
    }

    func differences(to other: BenchMachine) -> [String] {
        let mine = comparable
        return other.comparable.sorted { $0.key < $1.key }.compactMap { name, value in
            mine[name] == value ? nil : "\(name): \(mine[name] ?? "-") | \(value)"
        }
    }

    private var comparable: [String: String] {
        var values = settings
        values["cpu"] = "\(cores) × \(cpu)"
        values["postgresql"] = postgres
        values["build"] = build
        values["scale"] = scale
        values["slots"] = arguments.first { $0.hasPrefix("--slots=") }
        values["runs"] = String(runs)
        return values
    }
}

/// A setting of the server that figures depend on.
struct ServerSetting: Sendable {
    let name: String
    let value: String
}

struct ReadServerSettings: PostgresStatement {
    static let sql = """
        SELECT s.name, current_setting(s.name) FROM pg_settings s WHERE s.name IN (
            'server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'wal_level',
            'shared_buffers', 'max_wal_size', 'checkpoint_timeout', 'autovacuum', 'jit',
            'synchronous_standby_names', 'wal_compression', 'max_connections')
        """

    static func decode(_ row: borrowing PostgresRow) throws -> ServerSetting {
        ServerSetting(name: try row.decode(0), value: try row.decode(1))
    }
}
