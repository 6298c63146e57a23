import Tenure
import TenureFoundation

/// What the tables say: rights on them, rows that VACUUM has left, and what should have happened.
struct TableChecks: Sendable {
    let pool: PostgresPool
    private var inspector: Inspector { Inspector(pool: pool) }
    private static let manyDead = 100_000

    func all() async -> [Finding] {
        await [checked("rights", rights), checked("dead rows", deadRows)]
            + checkedAll("overdue", overdue) + checkedAll("unusable rows", unusable)
    }

    private func checked(
        _ name: String, _ body: () async throws -> Finding
    ) async -> Finding {
        await checkedAll(name) { [try await body()] }[0]
    }

    private func checkedAll(
        _ name: String, _ body: () async throws -> [Finding]
    ) async -> [Finding] {
        do {
            return try await body()
        } catch {
            return [.fail(name, ErrorLine.text(error), "The tables can't be read")]
        }
    }

    /// Which roles the user can take; the one that it lacks the least for, if it can take none.
    private func rights() async throws -> Finding {
        let missing = Dictionary(
            grouping: try await pool.execute(ListMissingRights()), by: \.role)
        let able = ProductRole.allCases.filter { missing[$0] == nil }
        if able.count == ProductRole.allCases.count {
            return .ok("rights", "the user has all it needs")
        }
        guard able.isEmpty, let near = missing.min(by: { $0.value.count < $1.value.count }) else {
            let names = able.map(\.rawValue).joined(separator: ", ")
            return .ok("rights", "the user can be: \(names)")
        }
        let more = near.value.count > 1 ? " and \(near.value.count - 1) more" : ""
        let role = near.key.map { "\($0.rawValue)" } ?? "role"
        return .fail(
            "rights", "the user lacks \(near.value[0].what)\(more), even as a \(role)",
            "Run as the schemas' owner: tenure roles --apply; then grant the user a role")
    }

    private func deadRows() async throws -> Finding {
        let tables = try await inspector.tables()
        if let table = tables.first(where: { !$0.isVacuumed }) {
            return .fail(
                "dead rows", "autovacuum is off for \(table.name)",
                "Claims slow down and the table grows: set autovacuum and track_counts to on")
        }
        guard let worst = tables.first(where: { $0.dead > max(Self.manyDead, $0.live) }) else {
            let most = tables.map(\.dead).max() ?? 0
            return .ok("dead rows", "at most \(most) in a hot table")
        }
        let since =
            worst.sinceVacuum.map { "\(DurationText.format($0)) ago" } ?? "not since the start"
        return .warn(
            "dead rows",
            "\(worst.dead) dead to \(worst.live) live ones in \(worst.name), of "
                + "\(worst.bytes / 1_048_576) MiB; last vacuumed \(since)",
            "End long transactions (see above), then: VACUUM \(worst.name)")
    }

    private func overdue() async throws -> [Finding] {
        let overdue = try await inspector.overdue()
        let unsettled = try await inspector.unsettled()
        return [
            schedules(overdue), cancelled(overdue), waiting(overdue, unsettled),
            partitions(overdue),
        ]
    }

    private func schedules(_ overdue: Overdue) -> Finding {
        guard let first = overdue.schedule else { return .ok("schedules", "none is late") }
        return .warn(
            "schedules", "\(overdue.schedules) late, such as \(first)",
            "A coordinator fires them; is one running, and what does it log?")
    }

    private func unusable() async throws -> [Finding] {
        let rows = try await inspector.unusable()
        return [batches(rows), lanes(rows), jobs(rows)]
    }

    private func batches(_ rows: Unusable) -> Finding {
        guard let batch = rows.refusedBatch, let why = rows.refusal else {
            return .ok("batches", "each has enqueued what its end was to")
        }
        return .warn(
            "batches",
            "\(rows.refusedTrees) ended within a day, and what was to follow was refused; the last "
                + "is \(batch.uuidString.lowercased()): \(why)",
            "Enqueue what was to follow by hand, and mend the program that started them")
    }

    private func lanes(_ rows: Unusable) -> Finding {
        guard let lane = rows.lane else { return .ok("lanes", "each has an interval that can be") }
        return .warn(
            "lanes",
            "\(rows.lanes) have an interval below 0 or above 365 days, such as \(lane)",
            "Until it is set anew, 0 or 365 days count; see the queue's lanes, or: tenure host set")
    }

    private func jobs(_ rows: Unusable) -> Finding {
        guard let job = rows.job else { return .ok("jobs", "each pending one can be claimed") }
        return .warn(
            "jobs",
            "\(rows.jobs) pending ones can't be claimed, such as \(job): due at no time, of an "
                + "unknown priority, or in a lane that is missing",
            "Somebody wrote to the table; see tenure job show, then job retry or job cancel")
    }

    private func cancelled(_ overdue: Overdue) -> Finding {
        guard let job = overdue.cancelledJob else {
            return .ok("stuck handlers", "no cancelled job runs for longer than 1m")
        }
        return .warn(
            "stuck handlers",
            "\(CountText.of(overdue.cancelled, "job")) cancelled over 1m ago, and running still, "
                + "such as \(job)",
            "Their handlers ignore cancellation; see job show, and worker --exit-when-stuck")
    }

    private func waiting(_ overdue: Overdue, _ unsettled: [JobID]) -> Finding {
        if let job = unsettled.first {
            return .warn(
                "waiting jobs",
                "\(unsettled.count) wait for jobs that all ended over 1m ago, such as \(job)",
                "A live worker lets them go within a minute; if one runs, see its log, and "
                    + "tenure job show")
        }
        guard let job = overdue.strandedJob else {
            return .ok("waiting jobs", "each waits for what is unfinished")
        }
        return .warn(
            "waiting jobs",
            "\(overdue.stranded) wait for a run that is over, such as \(job)",
            "A live worker lets them go within a minute, and says so; start one if none runs")
    }

    private func partitions(_ overdue: Overdue) -> Finding {
        if overdue.outsidePartitions {
            return .warn(
                "partitions", "finished jobs lie outside the daily partitions",
                "A worker or coordinator moves them within hours; is one running?")
        }
        return overdue.hasTomorrow
            ? .ok("partitions", "made for tomorrow")
            : .warn(
                "partitions", "none is made for tomorrow",
                "A worker or coordinator makes them within hours; is one running?")
    }
}
