import Foundation
import Tenure
import TestSupport
import Testing

@testable import TenureCLI

/// What a managed service takes away, and that nothing of the product needs it: each command works,
/// or says in one line what it lacks.
@Suite(.serialized, .disabled(if: TestPostgres.isPooled, "it has a server of its own"))
struct ManagedServiceTests {
    private static let running = Task { try await ManagedService() }

    private func service() async throws -> ManagedService {
        let service = try await Self.running.value
        if !service.isEncrypted {
            Issue.record(
                "this PostgreSQL was built without TLS: its connections are plain here",
                severity: .warning)
        }
        return service
    }

    @Test(.timeLimit(.minutes(2)))
    func `all of it works for an owner that is no superuser`() async throws {
        let service = try await service()
        let parts = try await Parts(service)
        let worker = try parts.start("crew", "worker", "--queue", "default:4")
        let coordinator = try parts.start("lea", "coordinator")
        let shop = parts.command("shop")
        for more in [[], ["--key", "a"], ["--key", "b", "--mode", "coalescing"]] {
            let done = try await shop.runAll(
                ["enqueue", "demo-sleep", "--payload", #"{"seconds":0.01}"#] + more)
            #expect(done.code == 0, "\(done.errors)")
        }
        try await parts.eventually("three have ended", in: "job_history", "demo-sleep", 3)
        try await cancel(parts, shop)
        try await look(parts)
        // A new release: migrated beside those who work, and the roles' rights after it.
        for command in [["migrate", "up"], ["roles", "--apply"]] {
            let done = try await parts.owner.runAll(command)
            #expect(done.code == 0, "\(command): \(done.errors)")
        }
        for process in [worker, coordinator] {
            process.send(SIGTERM)
            let result = try await process.result()
            #expect(result.code == 0, "\(result.errors)")
            for word in ["permission denied", "slots are reserved", " error "] {
                #expect(!result.errors.contains(word), "\(result.errors)")
            }
        }
    }

    /// By an operator, of a job that runs: its worker hears of it.
    private func cancel(_ parts: Parts, _ shop: Command) async throws {
        let made = try await shop.run(
            "enqueue", "demo-sleep", "--payload", #"{"seconds":600}"#, "--json")
        let id = try #require(try made.object()["id"] as? String, "\(made)")
        try await parts.eventually("it runs", in: "job", "demo-sleep", 1, "state = 'running'")
        let done = try await parts.command("ada").run("job", "cancel", id)
        #expect(done.code == 0, "\(done.errors)")
        try await parts.eventually(
            "it is cancelled", in: "job_history", "demo-sleep", 1, "outcome = 'cancelled'")
    }

    private func look(_ parts: Parts) async throws {
        let found = try await parts.owner.run("doctor", "--json").array()
        let bad = found.filter { $0["level"] as? String == "fail" }
        #expect(bad.isEmpty, "\(bad)")
        let told = Dictionary(
            found.map { ($0["check"] as? String ?? "", $0["message"] as? String ?? "") }
        ) { first, _ in first }
        let free = ManagedService.connections - ManagedService.reserved
        #expect(told["connections"]?.hasSuffix(" of \(free), and 3 for superusers") == true)
        // The others' sessions count, although the user may see next to nothing of them.
        let count = told["connections"].flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
        #expect(count > 4, "\(told)")
        for check in ["rights", "queue", "LISTEN", "transactions"] {
            let level = found.first { $0["check"] as? String == check }?["level"] as? String
            #expect(level == "ok", "\(check): \(told[check] ?? "")")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `what is missing is said in one line`() async throws {
        let service = try await service()
        // Without CREATEROLE the schema can be made, and roles that aren't there can't.
        let owner = try await service.connect(ManagedService.owner, database: "postgres")
        try await owner.simple(ManagedService.makes("poor", "CREATEDB"))
        owner.close()
        try await service.makeDatabase("poor", for: "poor")
        let poor = Command(service.conninfo("poor", database: "poor"))
        #expect(try await poor.run("migrate", "up").code == 0)
        let refused = try await poor.run("roles", "--apply", "--prefix", "poor_")
        expectLine(refused, "CREATEROLE")
        expectLine(refused, "42501")
        if service.isEncrypted {
            let plain = Command(service.conninfo("poor", database: "poor", plain: true))
            expectLine(try await plain.run("job", "list"), "sslmode=verify-full")
        }
        // All that an ordinary login may have are taken.
        var taken: [PostgresConnection] = []
        defer { for connection in taken { connection.close() } }
        for _ in 0..<(ManagedService.connections - ManagedService.reserved) {
            taken.append(try await service.connect("poor", database: "poor"))
        }
        let full = try await poor.run("job", "list")
        expectLine(full, "53300")
        expectLine(full, "smaller pools")
    }

    private func expectLine(
        _ result: Command.Result, _ word: String, location: SourceLocation = #_sourceLocation
    ) {
        #expect(result.code == 2, "\(result)", sourceLocation: location)
        #expect(result.errorLines.count == 1, "\(result.errors)", sourceLocation: location)
        #expect(result.errors.contains(word), "\(result.errors)", sourceLocation: location)
    }
}

/// A migrated database of the service, with the roles and a login for each part.
private struct Parts: Sendable {
    let owner: Command
    private let service: ManagedService
    private let pool: PostgresPool
    private static let database = "app"
    private static let logins = [
        "shop": "producer", "crew": "worker", "lea": "coordinator", "ada": "operator",
    ]

    init(_ service: ManagedService) async throws {
        self.service = service
        try await service.makeDatabase(Self.database)
        let conninfo = service.conninfo(ManagedService.owner, database: Self.database)
        owner = Command(conninfo)
        pool = PostgresPool(configuration: try PostgresConfiguration(conninfo), size: 1)
        for command in [["migrate", "up"], ["roles", "--apply"]] {
            let done = try await owner.runAll(command)
            #expect(done.code == 0, "\(command): \(done.errors)")
        }
        for (login, part) in Self.logins {
            try await pool.simple(ManagedService.makes(login, in: "tenure_\(part)"))
        }
    }

    func command(_ login: String) -> Command {
        Command(service.conninfo(login, database: Self.database))
    }

    func start(_ login: String, _ arguments: String...) throws -> RunningCommand {
        try command(login).with("TENURE_LOG_LEVEL", "info").start(arguments + ["--lease", "3s"])
    }

    func eventually(
        _ what: String, in table: String, _ kind: String, _ count: Int,
        _ condition: String = "true"
    ) async throws {
        let sql = """
            SELECT count(*) >= \(count) FROM tenure.\(table)
            WHERE kind = '\(kind)' AND \(condition)
            """
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let isSo = try await pool.query(sql) { try $0.decode(0, as: Bool.self) }
            if isSo == [true] { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NeverHappened(what: what)
    }
}
