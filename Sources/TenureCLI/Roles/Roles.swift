import ArgumentParser
import Tenure

struct Roles: TenureCommand {
    static let configuration = CommandConfiguration(
        commandName: "roles", abstract: "Roles for producers, workers, readers and operators.",
        discussion: """
            Prints the SQL that makes five roles without a login (producer, worker, coordinator, \
            reader, operator), takes every right on this product's schemas from PUBLIC, and gives \
            each role the least that its part needs. --apply runs it, as the schemas' owner. It \
            may run again at any time, and has to after each migrate up. Logins are yours: \
            CREATE ROLE app LOGIN PASSWORD '…' IN ROLE tenure_producer.

            Example:
              tenure roles > roles.sql
              tenure roles --apply
              tenure roles --apply --prefix shop_ --reader support
            """)

    @Flag(help: "Run it instead of printing it.") var apply = false
    @Option(help: "What the roles' names begin with.") var prefix = RoleNames.prefix
    @Option(help: "Another name for this role.") var producer: String?
    @Option(help: "Another name for this role.") var worker: String?
    @Option(help: "Another name for this role.") var coordinator: String?
    @Option(help: "Another name for this role.") var reader: String?
    @Option(help: "Another name for this role.") var `operator`: String?
    @Flag(help: "With --apply: print JSON.") var json = false
    @OptionGroup var common: CommonFlags

    func validate() throws {
        if json, !apply { throw ValidationError("--json goes with --apply; without, SQL comes") }
    }

    func execute() async throws {
        var given: [ProductRole: String] = [:]
        given[.producer] = producer
        given[.worker] = worker
        given[.coordinator] = coordinator
        given[.reader] = reader
        given[.operator] = `operator`
        let names = try RoleNames(prefix: prefix, given: given)
        let settings = try await common.settings()
        guard apply else {
            let script = RoleScript(names: names)
            return Terminal.output(try script.text(for: try Database.configuration(settings)))
        }
        try await Database.current(settings) { database in
            let sets = try await database.schemas()
            for set in sets { try await database.migrator(set).requireCurrent() }
            let script = RoleScript(names: names, schemas: sets.map(\.schema))
            let made = try await RoleAssignment(script: script, pool: database.pool).apply()
            try Terminal.report(RolesReport(names: names, made: made), json: json)
        }
    }
}

/// The roles, after they were given their rights.
struct RolesReport: Report {
    let names: RoleNames
    /// The names of those that were not there before.
    let made: [String]

    private struct Line: TableRow {
        let role: ProductRole
        let name: String
        let isNew: Bool

        func encode(to encoder: any Encoder) throws {
            try encoder.write(["role": role.rawValue, "name": name, "isNew": isNew])
        }

        static let titles = ["role", "a login with it", "state"]
        var cells: [String?] { [name, role.purpose, isNew ? "new" : "as it was"] }
    }

    private var lines: [Line] {
        ProductRole.allCases.map {
            Line(role: $0, name: names[$0], isNew: made.contains(names[$0]))
        }
    }

    func encode(to encoder: any Encoder) throws { try lines.encode(to: encoder) }

    var text: String {
        Table(lines).text
            + "\n\nPUBLIC has no rights on these schemas. Make logins with: CREATE ROLE app LOGIN "
            + "PASSWORD '…' IN ROLE \(names[.producer])"
    }
}
