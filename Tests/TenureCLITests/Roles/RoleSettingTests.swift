import Foundation
import Tenure
import TestSupport
import Testing

@testable import TenureCLI

/// Settings that an administrator gives to a login, or to a database, for other programs' sake.
@Suite(.serialized, .disabled(if: TestPostgres.isPooled, "the pooler knows one user"))
struct RoleSettingTests {
    /// By what they touch.
    static let settings: [[String]] = [
        [
            "DateStyle = 'SQL, DMY'", "IntervalStyle = 'sql_standard'",
            "TimeZone = 'Asia/Kathmandu'", "bytea_output = 'escape'", "extra_float_digits = -15",
            "array_nulls = off", "standard_conforming_strings = off", "xmloption = 'document'",
        ],
        ["IntervalStyle = 'iso_8601'", "DateStyle = 'German'", "lc_numeric = 'C'"],
        ["IntervalStyle = 'postgres_verbose'", "client_encoding = 'LATIN1'"],
        ["default_transaction_isolation = 'repeatable read'"],
        ["default_transaction_isolation = 'serializable'", "default_transaction_deferrable = on"],
        ["synchronous_commit = off", "lock_timeout = '2s'", "statement_timeout = '20s'"],
        ["search_path = ''", "row_security = off", "transform_null_equals = on"],
        ["plan_cache_mode = force_custom_plan", "jit = off", "constraint_exclusion = on"],
    ]

    @Test(arguments: settings)
    func `the product works with settings that were made for others`(settings: [String])
        async throws
    {
        let bench = try await RoleBench()
        var tenure: [ProductRole: Command] = [:]
        for role in ProductRole.allCases {
            let name = "\(bench.names[role])_login"
            let makes = "CREATE ROLE \"\(name)\" LOGIN IN ROLE \(bench.names.quoted(role))"
            let sets = settings.map { "ALTER ROLE \"\(name)\" SET \($0)" }
            try await bench.connection.simple(([makes] + sets).joined(separator: ";\n"))
            tenure[role] = Command("\(bench.fixture.conninfo) user=\(name)")
        }
        let worker = try #require(tenure[.worker]).with("TENURE_LOG_LEVEL", "info")
            .start("worker", "--queue", "default:4", "--lease", "3s")
        let coordinator = try #require(tenure[.coordinator]).with("TENURE_LOG_LEVEL", "info")
            .start("coordinator", "--lease", "3s")
        let producer = try #require(tenure[.producer])
        for more in [
            [], ["--key", "a"], ["--key", "a", "--mode", "keeping"], ["--after", "100ms"],
            ["--key", "b", "--mode", "coalescing"], ["--key", "b", "--mode", "coalescing"],
        ] {
            let done = try await producer.runAll(
                ["enqueue", "demo-sleep", "--payload", #"{"seconds":0.01}"#] + more)
            #expect(done.code == 0, "\(done.errors)")
        }
        try await bench.fixture.eventually(
            "all ended", "SELECT count(*) = 0 FROM tenure.job")
        try await look(try #require(tenure[.reader]), try #require(tenure[.operator]))
        for process in [worker, coordinator] {
            process.send(SIGTERM)
            let result = try await process.result()
            #expect(result.code == 0, "\(result.errors)")
            #expect(!result.errors.contains(" error "), "\(result.errors)")
        }
    }

    /// Times and durations are the same whatever the login's settings are.
    private func look(_ reader: Command, _ people: Command) async throws {
        let jobs = try await reader.run("job", "list", "--finished", "--json").array()
        #expect(jobs.count >= 4)
        for command in [
            ["stats"], ["queue", "list"], ["worker", "list"], ["job", "list", "--finished"],
            ["top", "--count", "1"], ["key", "show", "demo-sleep", "a"], ["item", "list"],
        ] {
            let shown = try await reader.runAll(command)
            #expect(shown.code == 0, "\(command): \(shown.errors)")
        }
        for command in [
            ["host", "set", "a.test", "--min-interval", "2s"], ["host", "list"],
            [
                "schedule", "add", "s", "demo-sleep", "--every", "90m", "--payload",
                #"{"seconds":0}"#,
            ],
            ["queue", "pause", "default"], ["queue", "resume", "default"],
        ] {
            let shown = try await people.runAll(command)
            #expect(shown.code == 0, "\(command): \(shown.errors)")
        }
        let schedules = try await people.run("schedule", "list")
        #expect(schedules.output.contains("every 90m"), "\(schedules.output)")
    }
}
