import TenureFoundation
import TenureSystem

/// The PostgreSQL programs found on this machine.
struct PostgresInstallation: Sendable, Equatable {
    static let oldestMajor = 14
    static var advice: String { "install it with: \(System.installsPostgres)" }

    let bin: String
    let major: Int

    func program(_ name: String) -> [String] { ["\(bin)/\(name)"] }

    /// The newest installation, or the one of `major` when a cluster asks for it.
    static func find(major: Int? = nil) throws -> PostgresInstallation {
        if let chosen = environment("TENURE_POSTGRES_BIN") {
            return try chosenByHand(chosen)
        }
        let found = candidates().compactMap { inspect($0) }
        let usable = found.filter { $0.major >= oldestMajor }
        guard let newest = usable.max(by: { $0.major < $1.major }) else {
            let seen = found.first.map { ", only \($0.major)" } ?? ""
            throw EmbeddedPostgresError(
                .notInstalled,
                "PostgreSQL \(oldestMajor) or later was not found\(seen): \(advice)")
        }
        guard let major else { return newest }
        return usable.first { $0.major == major } ?? newest
    }

    /// A program of PostgreSQL's, such as `pgbench`: beside the server's where one is installed,
    /// else on the path; nil when it is missing.
    static func path(of program: String) -> String? {
        // Reason for `try?`: without a server, its clients may be there.
        let beside = (try? find()).map { [$0.bin] } ?? []
        return (beside + candidates()).map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    /// The major version in what `postgres --version` prints.
    static func major(inVersion text: String) -> Int? {
        guard let word = text.split(separator: ")").dropFirst().first else { return nil }
        return Int(word.drop { $0 == " " }.prefix { $0.isNumber })
    }

    private static func chosenByHand(_ bin: String) throws -> PostgresInstallation {
        guard let found = inspect(bin), found.major >= oldestMajor else {
            throw EmbeddedPostgresError(
                .notInstalled,
                "TENURE_POSTGRES_BIN=\(bin) holds no PostgreSQL \(oldestMajor) or later: \(advice)")
        }
        return found
    }

    private static func inspect(_ bin: String) -> PostgresInstallation? {
        let needed = ["postgres", "initdb", "psql"]
        guard needed.allSatisfy({ access("\(bin)/\($0)", X_OK) == 0 }) else { return nil }
        // Reason for `try?`: a program that can't be run is no candidate; the search goes on.
        guard let result = try? Command.run(["\(bin)/postgres", "--version"]),
            result.succeeded, let major = major(inVersion: result.output)
        else { return nil }
        return PostgresInstallation(bin: bin, major: major)
    }

    /// Folders that may hold the programs, those first that have one for each version: Debian's,
    /// and Homebrew's on either kind of Mac.
    private static func candidates() -> [String] {
        let parents = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"]
        let versions = parents.flatMap { parent in
            // Reason for `try?`: no such folder, no candidates.
            ((try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [])
                .filter { name in
                    name.hasPrefix("postgresql") || name.allSatisfy { $0.isNumber || $0 == "." }
                }
                .map { "\(parent)/\($0)/bin" }
        }
        let path = (environment("PATH") ?? "").split(separator: ":").map(String.init)
        return versions + configured(path) + path
    }

    /// What the first `pg_config` of the path says.
    private static func configured(_ path: [String]) -> [String] {
        guard let folder = path.first(where: { access("\($0)/pg_config", X_OK) == 0 }),
            // Reason for `try?`: as above, no candidate.
            let result = try? Command.run(["\(folder)/pg_config", "--bindir"]), result.succeeded
        else { return [] }
        return [String(result.output.prefix { $0 != "\n" })]
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
