import EmbeddedPostgres
import Tenure
import TenureCLI
import TenureFoundation
import TenureSystem

/// The least SQL that does the same, run by PostgreSQL's own programs in the benchmark's own place.
/// Its scripts are `Tests/Benchmarks/raw`.
struct Yardstick: Sendable {
    private let pgbench: PostgresTool?
    private let psql: PostgresTool?
    /// Scripts, rows and the service file that says where the database is.
    let folder: String
    private let place: BenchPlace

    /// Prepared for the time of `body`, and removed.
    static func with<Result>(
        _ place: BenchPlace, _ body: (Yardstick) async throws -> Result
    ) async throws -> Result {
        let folder =
            FileManager.default.temporaryDirectory.path + "/tenure-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        defer {
            // Reason for `try?`: a folder left in the temporary one fails no measurement.
            try? FileManager.default.removeItem(atPath: folder)
        }
        return try await body(Yardstick(place, in: folder))
    }

    private init(_ place: BenchPlace, in folder: String) async throws {
        self.place = place
        self.folder = folder
        pgbench = try await Self.tool("pgbench")
        psql = try await Self.tool("psql")
        if pgbench == nil || psql == nil {
            Terminal.error(
                "pgbench or psql is missing: figures have no ratio to raw; "
                    + "install them with: apt-get install postgresql")
        }
        let options = place.configuration.completeOptions.sorted { $0.key < $1.key }
        let service = "[bench]\n" + options.map { "\($0)=\($1)\n" }.joined()
        try write(service, to: "service")
        for (name, sql) in EmbeddedYardstick.files {
            try write(place.configuration.qualified(sql), to: name)
        }
    }

    /// nil where it is missing. Debian's wrappers are there without what they wrap: only trying
    /// tells.
    private static func tool(_ name: String) async throws -> PostgresTool? {
        guard let tool = try await PostgresTool(name) else { return nil }
        do {
            _ = try await tool.run(["--version"], service: "/dev/null")
            return tool
        } catch is EmbeddedPostgresError {
            return nil
        }
    }

    var isThere: Bool { pgbench != nil && psql != nil }

    func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }

    /// Makes its tables.
    func create(_ pool: PostgresPool) async throws {
        let script = EmbeddedYardstick.files.first { $0.name == "create.sql" }?.sql ?? ""
        try await pool.simple(script)
    }

    /// - Returns: transactions a second, without the time to connect; nil where there is no
    ///   pgbench.
    func pgbench(
        _ script: String, clients: Int, transactions: Int, variables: [String: Int] = [:]
    ) async throws -> Double? {
        guard isThere, let pgbench else { return nil }
        var arguments = ["-n", "-M", "prepared", "-f", "\(folder)/\(script)"]
        arguments += ["-c", "\(clients)", "-j", "\(min(clients, System.coreCount))"]
        arguments += ["-t", "\(transactions)"]
        for (name, value) in variables { arguments += ["-D", "\(name)=\(value)"] }
        let output = try await pgbench.run(
            arguments + ["service=bench"], service: "\(folder)/service")
        guard let rate = PgbenchOutput.rate(in: output) else {
            throw Failure("pgbench said nothing of its rate: \(ErrorLine.oneLine(output))")
        }
        return rate
    }

    /// Runs a script of psql's, which names files relative to the folder.
    /// - Returns: what it printed.
    func psql(_ script: String) async throws -> String? {
        guard isThere, let psql else { return nil }
        try write(script, to: "script.sql")
        return try await psql.run(
            [
                "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-d", "service=bench",
                "-f", "\(folder)/script.sql",
            ], service: "\(folder)/service")
    }
}

enum PgbenchOutput {
    /// `tps = 123.4 (without initial connection time)`
    static func rate(in output: String) -> Double? {
        for line in output.split(separator: "\n") where line.hasPrefix("tps = ") {
            if let rate = Double(line.dropFirst(6).prefix { $0 != " " }) { return rate }
        }
        return nil
    }
}
