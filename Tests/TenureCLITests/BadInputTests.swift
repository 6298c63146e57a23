import EmbeddedPostgres
import Foundation
import TenurePostgres
import Testing

/// Whatever is wrong, it is told in one line, with exit code 2 and nothing done.
@Suite struct BadInputTests {
    private func expectRefusal(
        _ result: Command.Result, _ words: String..., location: SourceLocation = #_sourceLocation
    ) {
        #expect(result.code == 2, sourceLocation: location)
        #expect(result.output == "", sourceLocation: location)
        #expect(result.errorLines.count == 1, "\(result.errors)", sourceLocation: location)
        #expect(result.errors.hasPrefix("tenure: "), "\(result.errors)", sourceLocation: location)
        #expect(!result.errors.contains("Fatal"), sourceLocation: location)
        for word in words {
            #expect(result.errors.contains(word), "\(result.errors)", sourceLocation: location)
        }
    }

    @Test func `bad jobs are refused and nothing is enqueued`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        expectRefusal(try await tenure.run("enqueue", "no-such-kind"), "no-such-kind", "--force")
        expectRefusal(
            try await tenure.run("enqueue", "demo-fail", "--payload", "{oops"), "payload", "JSON")
        expectRefusal(
            try await tenure.run("enqueue", "demo-fail", "--payload", "@/no/such/file"),
            "/no/such/file")
        expectRefusal(
            try await tenure.run("enqueue", "demo-fail", "--priority", "11"), "priority", "0 to 9")
        expectRefusal(
            try await tenure.run("enqueue", "demo-fail", "--max-attempts", "0"), "1 to 10000")
        expectRefusal(
            try await tenure.run("enqueue", "demo-fail", "--after", "soon"), "--after", "30s")
        expectRefusal(
            try await tenure.run("enqueue", "demo-fail", "--at", "tomorrow"), "--at", "2030-01-31")
        expectRefusal(
            try await tenure.run("enqueue", "demo-fail", "--mode", "keeping"), "--key")
        for (payload, words) in [
            ("{}", "payload.url is missing"), (#"{"url": 7}"#, "payload.url is no String"),
            (#"{"url": "ftp://example.org/"}"#, "http"),
        ] {
            expectRefusal(
                try await tenure.run("enqueue", "content-fetch", "--payload", payload), words)
        }
        expectRefusal(
            try await tenure.run("enqueue", "demo-fail", "--expires-in", "0s"), "--expires-in")
        #expect(try await fixture.jobs() == 0)
        #expect(try await tenure.run("enqueue", "no-such-kind", "--force").code == 0)
        #expect(try await fixture.jobs() == 1)
    }

    @Test func `bad usage is told in one line and ends with 2, not 64`() async throws {
        let tenure = Command()
        expectRefusal(try await tenure.run("job", "list", "--nonsense"), "--nonsense", "--help")
        expectRefusal(try await tenure.run("frobnicate"), "frobnicate")
        expectRefusal(try await tenure.run("enqueue"), "kind")
        expectRefusal(try await tenure.run("job", "show", "17"), "17")
        for limit in ["0", "-3"] {
            expectRefusal(
                try await tenure.run("job", "list", "--limit", limit), "is \(limit);", "1 to 10000")
        }
        expectRefusal(try await tenure.run("worker", "stop"), "or --all")
        expectRefusal(try await tenure.run("up", "--workers", "1000"), "0 to 64")
    }

    @Test(arguments: [
        ("lease", "0s", "1s to 60m"), ("lease", "soon", "1s to 60m"),
        ("poolSize", "0", "1 to 1000"),
        ("grace", "-1", "0s to"), ("poll", "1ms", "10ms to 60m"), ("queues", "a:0", "1 to 10000"),
        ("concurrency", "many", "1 to 10000"), ("logLevel", "loud", "trace"),
        ("logFormat", "xml", "text, json"), ("listen", "maybe", "true or false"),
        ("schema", "a\"b", "letters"), ("pooler", "maybe", "true or false"),
    ])
    func `a setting out of range is refused from the environment and the file`(
        setting: String, value: String, range: String
    ) async throws {
        let words = setting.replacing(/[A-Z]/) { "_\($0.output)" }.uppercased()
        let environment = Command("host=/nowhere").with("TENURE_\(words)", value)
        expectRefusal(try await environment.run("worker"), "TENURE_\(words)", value, range)
        try await withFolder { folder in
            let file = "\(folder)/tenure.json"
            try JSONSerialization.data(withJSONObject: [setting: value])
                .write(to: URL(filePath: file))
            let result = try await Command("host=/nowhere").run("worker", "--config", file)
            expectRefusal(result, setting, file, range)
            let named = Command("host=/nowhere").with("TENURE_CONFIG", file)
            expectRefusal(try await named.run("worker"), setting, file, range)
        }
    }

    @Test func `flags are refused with their range, and win over the rest`() async throws {
        let tenure = Command("host=/nowhere")
        expectRefusal(try await tenure.run("worker", "--lease", "2h"), "--lease", "1s to 60m")
        let short = try await tenure.run("worker", "--lease", "1ms")
        expectRefusal(short, "such as 30s or 5m or 1h")
        expectRefusal(try await tenure.run("worker", "--queue", "a:b"), "--queue", "slots")
        expectRefusal(try await tenure.run("worker", "--log-level", "x"), "--log-level", "debug")
        let strong = tenure.with("TENURE_LEASE", "0s")
        expectRefusal(try await strong.run("worker", "--lease", "30s"), "/nowhere")
    }

    @Test func `a configuration file must be there, be JSON and hold known settings`() async throws
    {
        let tenure = Command("host=/nowhere")
        expectRefusal(try await tenure.run("worker", "--config", "/no/file.json"), "/no/file.json")
        try await withFolder { folder in
            let file = "\(folder)/tenure.json"
            try "{oops".write(toFile: file, atomically: true, encoding: .utf8)
            expectRefusal(try await tenure.run("worker", "--config", file), "JSON")
            try #"{"leese": 3}"#.write(toFile: file, atomically: true, encoding: .utf8)
            expectRefusal(try await tenure.run("worker", "--config", file), "leese", "lease")
            try #"{"queues": {"mail": 3}}"#.write(
                toFile: file, atomically: true, encoding: .utf8)
            expectRefusal(try await tenure.run("worker", "--config", file), "queues", "list")
            try #"{"lease": 0}"#.write(toFile: file, atomically: true, encoding: .utf8)
            expectRefusal(try await tenure.run("worker", "--config", file), "lease", "1s to 60m")
        }
    }

    @Test func `a database that can't be used is named, without its password`() async throws {
        expectRefusal(
            try await Command().run("job", "list", "--folder", "/tmp/no-such-folder"),
            "no database is configured", "--database-url")
        let fixture = try await Fixture()
        expectRefusal(
            try await Command("\(fixture.conninfo) dbname=nope").run("job", "list"), "nope")
        let refused = try await Command("postgresql://ada:s3cret@127.0.0.1:1/x").run("job", "list")
        expectRefusal(refused, "refused", "Is PostgreSQL running there")
        #expect(!refused.errors.contains("pool"))
        #expect(!refused.errors.contains("s3cret"))
        let unreadable = try await Command("password=s3cret nonsense=1").run("job", "list")
        expectRefusal(unreadable, "connection string")
        #expect(!unreadable.errors.contains("s3cret"))
    }

    @Test func `a wrong password is told at once`() async throws {
        var configuration = EmbeddedPostgresConfiguration.temporary()
        configuration.port = Int.random(in: 20_000...30_000)
        let server = try await EmbeddedPostgres.start(configuration)
        let port = try #require(configuration.port)
        let url = "postgresql://tenure:wr0ng-one@127.0.0.1:\(port)/tenure"
        for command in [
            ["job", "list"], ["worker", "--lease=9s"], ["coordinator", "--lease=9s"],
        ] {
            let result = try await Command(url).run(command[0], command[1])
            expectRefusal(result, "password")
            #expect(!result.errors.contains("wr0ng-one"))
        }
        try await server.stop()
    }

    @Test func `a newer or missing schema is refused by everything`() async throws {
        let empty = try await Fixture(migrated: false)
        expectRefusal(try await empty.tenure.run("worker"), "tenure migrate up")
        let fixture = try await Fixture()
        try await fixture.pool.simple(
            """
            INSERT INTO tenure.migration (name, checksum, serves_from)
            VALUES ('9999_later.sql', 'x', '9999_later.sql')
            """)
        for command in [
            ["job", "list"], ["worker", "--poll=1s"], ["migrate", "up"], ["queue", "list"],
        ] {
            let result = try await fixture.tenure.run(command[0], command[1])
            expectRefusal(result, "newer", "9999_later.sql")
        }
        expectRefusal(try await fixture.tenure.run("coordinator"), "newer")
        expectRefusal(try await fixture.tenure.run("enqueue", "demo-fail"), "newer")
    }

    @Test func `an unknown job is refused`() async throws {
        let fixture = try await Fixture()
        let id = "01990000-0000-7000-8000-000000000000"
        expectRefusal(try await fixture.tenure.run("job", "show", id), id)
        expectRefusal(try await fixture.tenure.run("job", "retry", id), id)
    }

    /// A command, and words that its refusal has to hold.
    private static let operatorCases: [([String], [String])] = [
        (["job", "cancel"], ["ids", "--all"]),
        (["job", "cancel", "--kind", "a"], ["--all", "--dry-run"]),
        (["job", "discard", "--all", "--older-than", "soon"], ["soon", "12h"]),
        (["job", "delete", "--all"], ["--state"]),
        (["job", "retry", "--all", "--queue", "mail"], ["--state"]),
        (["job", "retry", "--all", "--state", "lost"], ["lost", "retryable"]),
        (["job", "cancel", "17"], ["17"]),
        (["queue", "show", "nope"], ["nope", "mail"]),
        (["queue", "drain", "nope"], ["nope", "mail"]),
        (["queue", "drain", "mail", "--timeout", "x"], ["30m"]),
        (["queue", "limit", "mail", "0"], ["1 to 1000000"]),
        (["queue", "age", "mail", "soon"], ["the time is \"soon\"", "1s to 365d"]),
        (["queue", "age", "mail", "366d"], ["365d"]),
        (["queue", "age", "mail", "1ms"], ["1s"]),
        (["job", "list", "--where", "user"], ["names no field", "user=17"]),
        (["job", "list", "--where", "user=1", "--where", "user=2"], ["given twice"]),
        (["job", "list", "--where", "user..a=1"], ["empty part"]),
        (
            ["job", "edit", "01990000-0000-7000-8000-000000000000", "--tag", "a", "--no-tags"],
            ["--tag or --no-tags, not both"]
        ),
        (["queue", "rate", "mail", "fast"], ["the rate is \"fast\"", "100/1s"]),
        (["queue", "rate", "mail", "0/1s"], ["1 to 1000000"]),
        (["queue", "rate", "mail", "1/1s", "--burst", "0"], ["1 to 10000"]),
        (["queue", "rate", "mail", "none", "--burst", "2"], ["--burst needs a rate"]),
        (["lane", "set", "a", "--weight", "101"], ["1 to 100"]),
        (["worker", "show", "99"], ["99", "worker list"]),
        (["worker", "stop"], ["--all"]),
        (["worker", "stop", "nobody"], ["nobody"]),
        (["worker", "stop", "1", "--timeout", "3s"], ["--wait"]),
        (["key", "show", "demo-fail", "nope"], ["nope"]),
        (["schedule", "add", "a", "demo-fail"], ["--every", "--cron"]),
        (
            ["schedule", "add", "a", "demo-fail", "--cron", "61 * * * *"],
            ["minute", "0 to 59"]
        ),
        (
            ["schedule", "add", "a", "demo-fail", "--cron", "@daily", "--zone", "Mars/X"],
            ["Mars/X", "Europe/Berlin"]
        ),
        (["schedule", "add", "a", "no-such-kind", "--every", "1s"], ["no-such-kind"]),
        (["schedule", "add", "a", "demo-fail", "--every", "1ms"], ["0.1 seconds"]),
        (["schedule", "remove", "nope"], ["nope", "schedule list"]),
        (["schedule", "show", "nope"], ["nope", "schedule list"]),
        (["schedule", "trigger", "nope"], ["nope", "schedule list"]),
        (["schedule", "pause", "nope"], ["nope"]),
        (["schedule", "resume", "nope"], ["nope"]),
        (["stats", "--since", "0s"], ["1s to 30d"]),
        (["top", "--interval", "1ms"], ["200ms to 1h"]),
        (["top", "--count", "0"], ["at least 1"]),
        (["worker", "--metrics-port", "70000"], ["--metrics-port", "0 to 65535"]),
        (["coordinator", "--metrics-port", "1", "--metrics-host", "x"], ["--metrics-host"]),
    ]

    @Test func `every operator's command refuses bad input, and nothing is lost`() async throws {
        let fixture = try await Fixture()
        let tenure = fixture.tenure
        _ = try await tenure.run("enqueue", "demo-fail", "--queue", "mail")
        for (arguments, words) in Self.operatorCases {
            let result = try await RunningCommand(tenure, arguments).result()
            expectRefusal(result)
            for word in words {
                #expect(result.errors.contains(word), "\(arguments): \(result.errors)")
            }
        }
        #expect(try await fixture.jobs() == 1)
        #expect(
            try await fixture.value(
                """
                SELECT (SELECT count(*) FROM tenure.schedule)
                     + (SELECT count(*) FROM tenure.job_history)
                     + (SELECT count(*) FROM tenure.queue)
                """, as: Int64.self) == 0)
    }
}
