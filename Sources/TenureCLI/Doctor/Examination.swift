import Tenure
import TenureFoundation

/// Looks at everything the queue's promises stand on, from the connection up. Later checks are
/// left out when the ones they need have failed.
struct Examination: Sendable {
    private let database: Database
    private static let oldSnapshot: Duration = .seconds(300)
    private static let farClock = 2.0
    /// More sessions than a database has connections for.
    private static let manySessions = 10_000

    init(_ database: Database) { self.database = database }

    func run() async -> [Finding] {
        let asked = Date()
        let health: DatabaseHealth
        do {
            health = try await database.inspector.health()
        } catch {
            return [.fail("connection", ErrorLine.text(error), "Nothing else can be looked at")]
        }
        var findings = [Finding.ok("connection", "\(database.pool.configuration)")]
        findings += ServerChecks(health, settings: database.settings).all
        findings.append(clock(health, asked: asked, answered: Date()))
        findings.append(await snapshots(health))
        let schema = await schema()
        findings += schema.findings
        if schema.isCurrent {
            findings += await TableChecks(pool: database.pool).all()
            findings.append(await QueueTrial(pool: database.pool).run())
            findings += await sessions()
            if schema.hasProduct {
                findings.append(await WatchedSitesCheck(sites: database.sites).run())
                findings.append(await ChannelCheck(database: database).run())
                findings += await GrowthCheck(pool: database.pool).run()
            }
        }
        findings.append(await ListenCheck(database).run())
        return findings
    }

    /// What was found of the schemas.
    private struct SchemaLook {
        var findings: [Finding] = []
        var hasProduct = false
        var isCurrent: Bool { findings.allSatisfy { $0.level == .ok } }
    }

    private func schema() async -> SchemaLook {
        var look = SchemaLook()
        for set in MigrationSet.all {
            do {
                let migrator = database.migrator(set)
                if set.schema != MigrationSet.tenure.schema {
                    guard try await migrator.exists() else {
                        look.findings.append(
                            .ok("schema", "\(set.schema) is not there: nobody fetches or checks"))
                        continue
                    }
                    look.hasProduct = true
                }
                try await migrator.requireCurrent()
                let isNewer = try await migrator.status().contains { $0.state == .ahead }
                look.findings.append(
                    .ok("schema", "\(set.schema) is \(isNewer ? "a newer release's" : "current")"))
            } catch {
                look.findings.append(.fail("schema", "\(error)", "See: tenure migrate status"))
            }
        }
        return look
    }

    private func clock(_ health: DatabaseHealth, asked: Date, answered: Date) -> Finding {
        let middle = asked.addingTimeInterval(answered.timeIntervalSince(asked) / 2)
        let distance = health.clock.timeIntervalSince(middle)
        let text = DurationText.format(.seconds(abs(distance)))
        guard abs(distance) > Self.farClock else {
            return .ok("clock", "within \(text) of the database's")
        }
        return .warn(
            "clock",
            "\(text) \(distance > 0 ? "behind" : "ahead of") the database's",
            "Leases don't mind; times given with --at do. Synchronise the clocks (NTP)")
    }

    private func snapshots(_ health: DatabaseHealth) async -> Finding {
        do {
            let old = try await database.inspector.openSnapshots(olderThan: Self.oldSnapshot)
            guard let oldest = old.first else {
                let text = "none is open for longer than 5m"
                if health.hiddenTransactions == 0 { return .ok("transactions", text) }
                return .ok(
                    "transactions",
                    "\(text), as far as the user may see: of \(health.hiddenTransactions) of "
                        + "others GRANT pg_read_all_stats would tell")
            }
            return .warn(
                "transactions",
                "\(old.count) open for long, the oldest for \(DurationText.format(oldest.age)) "
                    + "(process \(oldest.backend), \"\(oldest.application)\", \(oldest.state))",
                "Claims slow down until they end: end them, or their backends with "
                    + "pg_terminate_backend")
        } catch {
            return .warn("transactions", "\(error)", "Grant pg_read_all_stats to see them")
        }
    }

    private func sessions() async -> [Finding] {
        do {
            let sessions = try await database.inspector.sessions(limit: Self.manySessions)
            return [workers(sessions)] + (try await queues(sessions)) + [
                clocks(sessions), dead(sessions), try await held(), try await kinds(),
            ]
        } catch {
            return [.fail("workers", "\(error)", "The tables can't be read")]
        }
    }

    private func workers(_ sessions: [SessionStatus]) -> Finding {
        let live = sessions.filter { $0.state == .live }
        let workers = live.filter { $0.role == "worker" }.count
        let leads = live.contains(where: \.leads) ? "one leads" : "none leads"
        let coordinators = live.count - workers
        let text = "\(workers) live, \(CountText.of(coordinators, "coordinator")) (\(leads))"
        if workers == 0 { return .warn("workers", text, "Start one with: tenure worker") }
        if coordinators == 0 {
            return .warn(
                "workers", text,
                "Schedules and retention stand still: start one with: tenure coordinator")
        }
        return .ok("workers", text)
    }

    /// Each queue whose jobs are due and that nobody takes from, the one that waits for longest
    /// first. A session that is silent may be dead, and one that stops takes nothing new. A paused
    /// queue waits on purpose.
    private func queues(_ sessions: [SessionStatus]) async throws -> [Finding] {
        let taken = Set(sessions.filter { $0.state == .live }.flatMap(\.queues))
        let waiting = try await database.inspector.queues().filter { queue in
            queue.due > 0 && queue.pausedAt == nil && !taken.contains(queue.name)
        }
        if waiting.isEmpty { return [.ok("queues", "a live worker takes from each with due jobs")] }
        let sorted = waiting.sorted {
            ($0.oldestDue ?? .distantFuture) < ($1.oldestDue ?? .distantFuture)
        }
        return sorted.map { queue in
            let since = queue.oldestDue.map { " since \(TimeText.full($0))" } ?? ""
            return .warn(
                "queues",
                "\(CountText.of(queue.due, "job")) due in \(queue.name)\(since), and no live "
                    + "worker takes from it",
                queue.name.rawValue.hasPrefix("check-")
                    ? "They are left of a check that was killed: tenure job cancel --all --queue "
                        + "\(queue.name)"
                    : "Start one with: tenure worker --queue \(queue.name); or start the program "
                        + "whose jobs they are")
        }
    }

    /// As they were when each session opened, the way there included.
    private func clocks(_ sessions: [SessionStatus]) -> Finding {
        let known = sessions.compactMap { session in
            session.clockAhead.map { (session.name, $0 / .seconds(1)) }
        }
        guard let far = known.max(by: { abs($0.1) < abs($1.1) }), abs(far.1) > Self.farClock else {
            return .ok("clocks", "\(known.count) sessions' machines within 2s of the database's")
        }
        return .warn(
            "clocks",
            "that of \(far.0) was \(DurationText.format(.seconds(abs(far.1)))) "
                + "\(far.1 > 0 ? "ahead of" : "behind") the database's",
            "Leases don't mind; logs and run times do. Synchronise the clocks (NTP)")
    }

    private func held() async throws -> Finding {
        let count = try await database.inspector.heldJobs()
        if count == 0 { return .ok("held jobs", "none") }
        return .warn(
            "held jobs", "\(count): their payload can't be read, or their kind has no handler",
            "Mend the producer or deploy a release that reads them; see: "
                + "tenure job list --state held")
    }

    private func kinds() async throws -> Finding {
        let paused = try await database.inspector.pausedKinds()
        guard let first = paused.first else { return try await handled() }
        let more = paused.count > 1 ? "; and \(paused.count - 1) more" : ""
        return .warn(
            "kinds", PausedKindText.line(first) + more,
            "Its jobs wait. When the cause is mended: tenure kind resume \(first.kind)")
    }

    /// Whether each kind with due jobs has a live worker that knows it.
    private func handled() async throws -> Finding {
        let orphans = try await database.inspector.kinds().filter { $0.due > 0 && $0.workers == 0 }
        if orphans.isEmpty, let unread = try await database.inspector.unreadPayloads().first {
            return .warn(
                "kinds",
                "\(CountText.of(unread.due, "job")) of \(unread.kind) due that no live worker "
                    + "reads: a newer payload (up to version \(unread.version)), or each release "
                    + "has held it before",
                "Deploy workers of the release that writes them; or give them up: "
                    + "tenure job discard --all --kind \(unread.kind)")
        }
        guard let first = orphans.first else {
            return .ok("kinds", "none is paused, and each with due jobs has a live worker")
        }
        let others = CountText.of(orphans.count - 1, "more kind")
        let more = orphans.count > 1 ? ", nor \(others) with due jobs" : ""
        return .warn(
            "kinds",
            "\(CountText.of(first.due, "job")) of \(first.kind) due, and no live worker knows the "
                + "kind\(more)",
            "Start the program whose jobs they are; or give them up: tenure job discard --all "
                + "--kind \(first.kind)")
    }

    private func dead(_ sessions: [SessionStatus]) -> Finding {
        let gone = sessions.filter { $0.state != .live && $0.running + $0.claimed > 0 }
        guard let first = gone.first else { return .ok("leases", "no dead session holds a job") }
        let jobs = gone.map { $0.running + $0.claimed }.reduce(0, +)
        return .warn(
            "leases",
            "\(CountText.of(gone.count, "silent or dead session", do: "hold")) "
                + "\(CountText.of(jobs, "job")), such as \(first.name)",
            "A live worker takes them over within a lease; start one if none runs")
    }
}
