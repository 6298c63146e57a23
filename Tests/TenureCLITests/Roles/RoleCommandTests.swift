import Foundation
import Tenure
import TestSupport
import Testing

@testable import TenureCLI

/// The roles as processes have them: each part of the product with a login of its own.
@Suite(.disabled(if: TestPostgres.isPooled, "the pooler knows one user"))
struct RoleCommandTests {
    private func login(_ role: ProductRole, _ bench: RoleBench) async throws -> Command {
        let name = "\(bench.names[role])_login"
        try await bench.fixture.pool.simple(
            "CREATE ROLE \"\(name)\" LOGIN IN ROLE \(bench.names.quoted(role))")
        return Command("\(bench.fixture.conninfo) user=\(name)")
    }

    @Test(.timeLimit(.minutes(2)))
    func `a check whose own worker may not work says so, and ends`() async throws {
        let bench = try await RoleBench()
        let ci = try await login(.producer, bench)
        let names = bench.names
        try await bench.fixture.pool.simple(
            "GRANT \(names.quoted(.reader)) TO \"\(names[.producer])_login\"")
        try await withFolder { folder in
            try Data("<p>one".utf8).write(to: URL(filePath: "\(folder)/index.html"))
            let result = try await ci.run("check", folder)
            #expect(result.code == 2, "\(result)")
            #expect(result.errors.contains("of check, --workers 0"), "\(result.errors)")
        }
    }

    @Test func `each part does its work with its own role, and not another's`() async throws {
        let bench = try await RoleBench()
        let producer = try await login(.producer, bench)
        let reader = try await login(.reader, bench)
        let worker = try await login(.worker, bench).with("TENURE_LOG_LEVEL", "info")
            .start("worker", "--queue", "default:4", "--lease", "3s")
        let coordinator = try await login(.coordinator, bench).with("TENURE_LOG_LEVEL", "info")
            .start("coordinator", "--lease", "3s")
        for extra in [
            [], ["--key", "a"], ["--key", "a"], ["--key", "b", "--mode", "coalescing"],
        ] {
            let done = try await producer.runAll(
                ["enqueue", "demo-sleep", "--payload", #"{"seconds":0.01}"#] + extra)
            #expect(done.code == 0, "\(done.errors)")
        }
        try await producer.expect(1, in: "enqueue", "demo-fail", "--max-attempts", "1")
        // The coordinator's own sweep is the sixth; its rounds of refetching come every minute.
        try await bench.fixture.eventually(
            "all ended",
            """
            SELECT count(*) FILTER (WHERE kind <> 'content-refetch') = 6
               AND count(*) FILTER (WHERE kind = 'content-refetch') > 0
            FROM tenure.job_history
            """)
        for kind in ["content-sweep", "content-refetch"] {
            let isDone = try await bench.fixture.value(
                "SELECT bool_and(outcome = 'completed') FROM tenure.job_history "
                    + "WHERE kind = '\(kind)'", as: Bool.self)
            #expect(isDone, "\(kind)")
        }
        let listed = try await reader.run("job", "list", "--finished", "--json").array()
        #expect(listed.filter { $0["kind"] as? String != "content-refetch" }.count == 6)
        for command in [["stats"], ["queue", "list"], ["worker", "list"], ["schedule", "list"]] {
            let shown = try await reader.runAll(command)
            #expect(shown.code == 0, "\(command): \(shown.errors)")
        }
        worker.send(SIGTERM)
        coordinator.send(SIGTERM)
        for process in [worker, coordinator] {
            let result = try await process.result()
            #expect(result.code == 0)
            #expect(!result.errors.contains("permission denied"), "\(result.errors)")
        }
    }

    @Test func `whoever lacks a right is told in one line, and nothing is done`() async throws {
        let bench = try await RoleBench()
        let reader = try await login(.reader, bench)
        let producer = try await login(.producer, bench)
        for (command, arguments) in [
            (reader, ["enqueue", "demo-sleep", "--payload", #"{"seconds":1}"#]),
            (reader, ["queue", "pause", "default"]),
            (producer, ["job", "cancel", "--all", "--queue", "default"]),
            (producer, ["roles", "--apply"]), (reader, ["migrate", "up"]),
        ] {
            let result = try await command.runAll(arguments)
            #expect(result.code == 2, "\(arguments)")
            #expect(result.errorLines.count == 1, "\(arguments): \(result.errors)")
            #expect(result.errors.contains("42501"), "\(arguments): \(result.errors)")
        }
        #expect(try await bench.fixture.jobs() == 0)
    }

    @Test func `an operator does all that its nouns offer`() async throws {
        let bench = try await RoleBench()
        let tenure = try await login(.operator, bench)
        for arguments in [
            ["enqueue", "demo-sleep", "--payload", #"{"seconds":1}"#, "--key", "k"],
            ["queue", "pause", "default"], ["queue", "limit", "default", "3"],
            ["queue", "resume", "default"], ["queue", "drain", "default", "--timeout", "1s"],
            ["job", "list"], ["job", "retry", "--all", "--state", "available"],
            ["job", "cancel", "--all", "--kind", "demo-sleep"],
            ["job", "retry", "--all", "--state", "cancelled"],
            ["job", "discard", "--all", "--kind", "demo-sleep"],
            ["job", "delete", "--all", "--state", "discarded"],
            ["key", "show", "demo-sleep", "k"], ["stats"], ["top", "--count", "1"],
            ["schedule", "add", "s", "demo-sleep", "--every", "1h", "--payload", "{}"],
            ["schedule", "pause", "s"], ["schedule", "resume", "s"], ["schedule", "list"],
            ["schedule", "remove", "s"],
            ["host", "set", "a.test", "--min-interval", "2s", "--own"],
            ["host", "hold", "a.test", "--for", "1m"], ["host", "release", "a.test"],
            ["host", "list"],
            ["item", "list"],
        ] {
            let result = try await tenure.runAll(arguments)
            #expect(result.code < 2, "\(arguments): \(result.errors)")
            #expect(!result.errors.contains("42501"), "\(arguments): \(result.errors)")
        }
    }

    @Test func `what is printed does what is applied, and again changes nothing`() async throws {
        let bench = try await RoleBench()
        let before = try await bench.granted(.worker)
        let prefix = String(bench.names[.worker].dropLast("worker".count))
        let printed = try await bench.fixture.tenure.run("roles", "--prefix", prefix)
        #expect(printed.code == 0)
        try await bench.connection.simple(
            "GRANT ALL ON ALL TABLES IN SCHEMA tenure TO \(bench.names.quoted(.worker))")
        #expect(try await bench.granted(.worker) != before)
        try await bench.connection.simple(printed.output)
        #expect(try await bench.granted(.worker) == before)
        let again = try await bench.fixture.tenure.run(
            "roles", "--apply", "--prefix", prefix, "--json")
        #expect(try again.array().allSatisfy { $0["isNew"] as? Bool == false })
        #expect(try await bench.granted(.worker) == before)
    }

    @Test func `names that can't be are refused, and so is the owner's`() async throws {
        let bench = try await RoleBench()
        let tenure = bench.fixture.tenure
        let owner = try await bench.fixture.value("SELECT current_user::text", as: String.self)
        for arguments in [
            ["--prefix", "pg_"], ["--worker", "a\"b"], ["--worker", "x", "--reader", "x"],
            ["--reader", ""], ["--apply", "--operator", owner],
        ] {
            let result = try await tenure.runAll(["roles"] + arguments)
            #expect(result.code == 2, "\(arguments)")
            #expect(result.errorLines.count == 1, "\(arguments): \(result.errors)")
        }
    }

    @Test func `the doctor says what a user can be`() async throws {
        let bench = try await RoleBench()
        let reader = try await login(.reader, bench).run("doctor")
        #expect(reader.output.contains("ok    rights: the user can be: reader"), "\(reader.output)")
        let worker = try await login(.worker, bench).run("doctor")
        #expect(worker.output.contains("the user can be: worker"), "\(worker.output)")
    }
}

extension Command {
    fileprivate func expect(_ lines: Int, in arguments: String...) async throws {
        let result = try await runAll(arguments)
        #expect(result.code == 0 && result.output.split(separator: "\n").count == lines)
    }
}
