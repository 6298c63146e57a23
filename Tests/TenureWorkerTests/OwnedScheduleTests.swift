import Logging
import Tenure
import TenureWorker
import TestSupport
import Testing

@testable import TenureCoordinator

private struct Tick: Job {
    static let kind: JobKind = "tick"
    static let options = JobOptions<Self>()
    var note = ""
}

/// Schedules belong to the code that declares them.
@Suite struct OwnedScheduleTests {
    private static func schedule(
        _ name: String, cron: String = "@yearly", zone: String = "UTC", _ note: String = ""
    ) throws -> Schedule {
        try Schedule(name, cron: cron, zone: zone, Tick(note: note))
    }

    private func run(
        _ fixture: WorkerFixture, _ owner: String, _ schedules: [Schedule], until isSo: String
    ) async throws {
        var configuration = CoordinatorConfiguration()
        configuration.lease = .seconds(3)
        configuration.tick = .milliseconds(50)
        let coordinator = try Coordinator(
            pool: fixture.pool, owning: owner, schedules: schedules, configuration: configuration,
            logger: fixture.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await coordinator.run() }
            try await fixture.eventually("it is in place", isSo)
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func `what a release declares is added and changed, and removed with the next one`()
        async throws
    {
        let fixture = try await WorkerFixture("owned")
        let schedules = Schedules(pool: fixture.pool, as: "ada")
        _ = try await schedules.add(try Self.schedule("by hand"))
        try await run(
            fixture, "app", [try Self.schedule("a"), try Self.schedule("b", "old")],
            until: "SELECT count(*) = 3 FROM tenure.schedule")
        #expect(try await schedules.pause("b"))
        try await run(
            fixture, "app",
            [
                try Self.schedule("b", "new"), try Self.schedule("by hand", "taken"),
                try Self.schedule("lost", zone: "Mars/Base"), try Self.schedule("z"),
            ],
            until: """
                SELECT count(*) = 2 FROM tenure.schedule s
                WHERE s.name IN ('b', 'z') AND NOT EXISTS (
                    SELECT FROM tenure.schedule a WHERE a.name = 'a')
                """)
        let all = try await schedules.list()
        #expect(all.map(\.name) == ["b", "by hand", "z"])
        #expect(all.map(\.owner) == ["app", nil, "app"])
        #expect(all.map { $0.pausedBy } == ["ada", nil, nil])
        let notes = try await fixture.pool.query(
            "SELECT s.job -> 'payload' ->> 'note' FROM tenure.schedule s ORDER BY s.name"
        ) { try $0.decode(0, as: String.self) }
        #expect(notes == ["new", "", ""])
    }

    @Test func `one owner's coordinators leave another's schedules alone`() async throws {
        let fixture = try await WorkerFixture("owners")
        try await run(
            fixture, "one", [try Self.schedule("a")],
            until: "SELECT count(*) = 1 FROM tenure.schedule")
        try await run(
            fixture, "two", [try Self.schedule("a", "theirs"), try Self.schedule("b")],
            until: "SELECT count(*) = 2 FROM tenure.schedule")
        let owners = try await Schedules(pool: fixture.pool, as: "ada").list().map(\.owner)
        #expect(owners == ["one", "two"])
    }

    @Test func `the coordinator of an owner that leads decides, and another waits for its end`()
        async throws
    {
        let fixture = try await WorkerFixture("leader")
        var configuration = CoordinatorConfiguration()
        configuration.tick = .milliseconds(50)
        func coordinator(_ note: String) throws -> Coordinator {
            try Coordinator(
                pool: fixture.pool, owning: "app", schedules: [try Self.schedule("a", note)],
                configuration: configuration, logger: fixture.logger)
        }
        let (old, new) = (try coordinator("old"), try coordinator("new"))
        let note = "SELECT s.job -> 'payload' ->> 'note' = '%' FROM tenure.schedule s"
        try await withThrowingTaskGroup(of: Void.self) { group in
            let first = Task { try await old.run() }
            try await fixture.eventually("old", note.replacing("%", with: "old"))
            group.addTask { try await new.run() }
            try await fixture.eventually(
                "both are there",
                "SELECT count(*) = 2 FROM tenure.session WHERE ended_at IS NULL")
            try await Task.sleep(for: .milliseconds(300))
            #expect(
                try await fixture.value(note.replacing("%", with: "old"), as: Bool.self))
            first.cancel()
            try await first.value
            try await fixture.eventually("new", note.replacing("%", with: "new"))
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func `who waits for the lead with other schedules says whose stand`() async throws {
        let log = Recorder()
        let fixture = try await WorkerFixture("waiting").recorded(by: log)
        func coordinator(_ schedules: [Schedule]) throws -> Coordinator {
            try Coordinator(
                pool: fixture.pool, owning: "app", schedules: schedules, logger: fixture.logger)
        }
        let leading = try coordinator([try Self.schedule("a"), try Self.schedule("b")])
        let alike = try coordinator([try Self.schedule("b"), try Self.schedule("a")])
        let other = try coordinator([
            try Self.schedule("a", cron: "@daily"), try Self.schedule("c"),
        ])
        func lines() -> [Recorder.Line] {
            log.all.filter { $0.message.contains("another coordinator of this owner leads") }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await leading.run() }
            try await fixture.eventually("2", "SELECT count(*) = 2 FROM tenure.schedule")
            group.addTask { try await alike.run() }
            group.addTask { try await other.run() }
            while lines().isEmpty { try await Task.sleep(for: .milliseconds(20)) }
            try await Task.sleep(for: .seconds(3))
            group.cancelAll()
            try await group.waitForAll()
        }
        #expect(lines().map(\.level) == [.warning])
        #expect(lines().first?.metadata["schedules"] == "a, b, c")
    }

    @Test(arguments: [
        ("61 * * * *", "the cron minute, \"61\", is wrong; give 0 to 59"),
        ("* * * *", "the cron expression \"* * * *\" has 4 fields; give five"),
        ("0 0 30 2 *", "names a day that never comes"),
        ("0 0 * * fry", "the cron weekday, \"fry\", is wrong"),
        ("* *", "schedule a: the cron expression \"* *\" has 2 fields; give five"),
    ])
    func `a wrong expression is refused without a database`(_ cron: String, _ said: String) {
        do {
            _ = try Self.schedule("a", cron: cron)
            Issue.record("\(cron) was taken")
        } catch {
            let known = error as? TenureError
            #expect(known?.code == .invalidConfiguration)
            #expect(known?.message.contains(said) == true, "\(error)")
        }
    }

    @Test(arguments: [
        ("", "the time zone has 0 bytes; give 1 to 255"),
        ("+02:00", "\"+02:00\" is no time zone's name; give one such as Europe/Berlin or UTC"),
        ("Europe/", "\"Europe/\" is no time zone's name"),
        ("Europe//Berlin", "no time zone's name"),
        ("Etc/-2", "no time zone's name"), ("America/New York", "no time zone's name"),
        ("UTC\n", "the time zone has the control character U+000A; remove it"),
    ])
    func `what can't be a zone is refused without a database`(_ zone: String, _ said: String) {
        do {
            _ = try Self.schedule("a", zone: zone)
            Issue.record("\(zone) was taken")
        } catch {
            let known = error as? TenureError
            #expect(known?.code == .invalidConfiguration)
            #expect(known?.message.hasPrefix("schedule a: ") == true, "\(error)")
            #expect(known?.message.contains(said) == true, "\(error)")
        }
    }

    @Test func `every zone of the database's may be given`() async throws {
        let fixture = try await WorkerFixture("zones")
        let zones = try await fixture.pool.query("SELECT z.name FROM pg_timezone_names z") { row in
            try row.decode(0, as: String.self)
        }
        #expect(zones.count > 300)
        for zone in zones { try CronExpression.check(zone: zone) }
    }

    @Test func `one that the database refuses is said by name, zone and remedy`() async throws {
        let log = Recorder()
        let fixture = try await WorkerFixture("lost").recorded(by: log)
        try await run(
            fixture, "app",
            [
                try Self.schedule("a"), try Self.schedule("lost", zone: "Europe/Berln"),
                try Self.schedule("z"),
            ], until: "SELECT count(*) = 2 FROM tenure.schedule")
        let lines = log.all.filter { $0.metadata["schedule"] == "lost" }
        #expect(lines.map(\.level) == [.error])
        let said = lines.first?.metadata["error"].map { "\($0)" } ?? ""
        #expect(
            said.contains("schedule lost: the time zone \"Europe/Berln\" is unknown"), "\(said)")
        #expect(said.hasSuffix("give a name that pg_timezone_names has, such as Europe/Berlin"))
    }

    @Test func `schedules need an owner, and names of their own`() async throws {
        let fixture = try await WorkerFixture("owner")
        let schedule = try Self.schedule("a")
        #expect(throws: TenureError.self) {
            try Coordinator(pool: fixture.pool, schedules: [schedule])
        }
        #expect(throws: TenureError.self) {
            try Coordinator(pool: fixture.pool, owning: "app", schedules: [schedule, schedule])
        }
        #expect(throws: TenureError.self) { try Coordinator(pool: fixture.pool, owning: "") }
    }

    /// Both read the same, or both refuse.
    @Test func `expressions are read as the database reads them`() async throws {
        let fixture = try await WorkerFixture("cron")
        var random = SystemRandomNumberGenerator()
        let words = [
            "*", "0", "5", "7", "12", "31", "59", "60", "1-5", "5-1", "*/2", "*/0", "1/3", "1-9/4",
            "*-3", "mon", "mon-fri", "fri-sun", "sun", "jan", "feb-apr", "1,3", "1,,3", "x", "",
            "MON", "29", "30",
        ]
        for _ in 0..<400 {
            let expression = (0..<5).map { _ in
                Bool.random(using: &random) ? "*" : words.randomElement(using: &random) ?? "*"
            }.joined(separator: " ")
            var own: [[Int]]?
            do {
                let read = try CronExpression(expression)
                own = [read.minutes, read.hours, read.days, read.months, read.weekdays]
            } catch is TenureError {}
            var theirs: [[Int]]?
            do {
                theirs = try await fixture.pool.query(
                    """
                    SELECT c.minutes, c.hours, c.days, c.months, c.weekdays
                    FROM tenure.read_cron($1) AS c
                    WHERE tenure.cron_next($1, 'UTC', now()) IS NOT NULL
                    """, [expression]
                ) { row in
                    try (0..<5).map { try row.decode($0, as: [Int32].self).map { Int($0) } }
                }.first
            } catch let error as PostgresError where error.sqlState == "TN003" {}
            #expect(own == theirs, "\(expression)")
        }
    }
}
