import Tenure
import TenureCoordinator
import TenureFoundation

/// What is enqueued by the clock, with the next five times of each.
struct SchedulesPage: Page {
    struct Line: Encodable, Sendable {
        let schedule: ScheduleStatus
        let next: [Date]
        /// Why its times can't be told.
        @OrNull var problem: String?
    }
    let tab: Tab? = .schedules
    let asksWhy = true
    let title = "Schedules"
    let place: ListPlace<NameKey>

    init(_ query: Query) throws { place = try ListPlace(query, at: "schedules") }

    func look(_ look: Look) async throws -> ListPart<Line> {
        let schedules = Schedules(pool: look.pool, as: "the console")
        var found: [Line] = []
        let part = place.part(
            try await schedules.list(after: place.after?.name, limit: place.limit), look
        ) { NameKey($0.name) }
        for schedule in part.rows {
            var line = Line(schedule: schedule, next: [schedule.nextAt], problem: nil)
            do {
                let next = try await schedules.nextTicks(of: schedule, count: 5)
                line = Line(schedule: schedule, next: next, problem: nil)
            } catch let error as PostgresError where error.sqlState != nil {
                // One that can't be used keeps no other from being shown.
                line.problem = look.settings.redact(look.settings.explain(error))
            }
            found.append(line)
        }
        return ListPart(rows: found, next: part.next)
    }

    func sections(_ found: ListPart<Line>, _ look: Look) -> [Section] {
        let rows = found.rows.map { line -> [Markup] in
            let schedule = line.schedule
            let isPaused = schedule.pausedAt != nil
            let problem: Markup = line.problem.map { " <div class=\"soft\">\($0)</div>" } ?? ""
            let state: Markup =
                isPaused
                ? "\(Markup.badge("paused", .doubt)) by \(schedule.pausedBy ?? "someone")"
                : Markup.badge("on", .good)
            let verb = VerbButton(
                title: isPaused ? "Resume" : "Pause",
                address: look.links.to("schedules", schedule.name, isPaused ? "resume" : "pause"))
            let trigger = VerbButton(
                title: "Enqueue now", address: look.links.to("schedules", schedule.name, "trigger"))
            let later = line.next.dropFirst().map { Markup.age($0) }
            let zone = Self.zone(of: schedule.ticks)
            func moment(_ date: Date?) -> Markup { Markup.moment(date, in: zone) }
            // Of a paused one the first is of the time when it was paused.
            let ahead = line.next.first { $0 > Date() }
            let next: Markup =
                isPaused
                ? "none while it is paused; it would be \(moment(ahead))"
                : "\(moment(line.next.first)), then \(Markup.joined(later))"
            return [
                "\(schedule.name)", "\(state)\(problem)", Self.ticks(schedule.ticks),
                Markup.link(
                    schedule.kind.rawValue,
                    to: look.links.to("jobs", query: [("kind", schedule.kind.rawValue)])),
                "\(schedule.queue)", next, Markup.age(schedule.firedAt), "\(schedule.fired)",
                Markup.optional(schedule.owner),
                "\(look.verb(trigger)) \(look.verb(verb))",
            ]
        }
        let table = ListTable(
            caption: "Schedules; times are in the zone of each, with its distance from UTC",
            columns: [
                .init("schedule"), .init("state"), .init("fires"), .init("kind"), .init("queue"),
                .init("next"), .init("last"), .init("fired", isNumber: true),
                .init("declared by"), .init(look.mayAct ? "do" : ""),
            ], rows: rows, none: "Nothing is enqueued by the clock.")
        return [
            Section(id: "schedules", body: "\(table.markup)\(place.pages(found.next, look))")
        ]
    }

    /// Nil for UTC, and for a zone that only PostgreSQL knows.
    private static func zone(of ticks: Ticks) -> TimeZone? {
        guard case .cron(_, let zone) = ticks, zone != "UTC" else { return nil }
        return TimeZone(identifier: zone)
    }

    private static func ticks(_ ticks: Ticks) -> Markup {
        switch ticks {
        case .every(let interval): "every \(Markup.duration(interval))"
        case .cron(let expression, let zone): "\(Markup.code(expression)) in \(zone)"
        }
    }
}
