import ArgumentParser
import Tenure

/// Does a verb to jobs, one by one or in bulk, and says what became of them.
struct JobWork: Sendable {
    enum Act {
        case verb(JobVerb)
        case forget(cancelling: Bool)

        var name: String {
            switch self {
            case .verb(let verb): verb.rawValue
            case .forget: "forget"
            }
        }
    }

    let act: Act
    let selection: JobSelection
    let by: String?
    let json: Bool
    /// What bulk means by no state.
    var states: Set<JobStatus> = []
    /// Results that mean it was not done, though the job is there.
    var refusals: [JobResult.Result: String] = [:]
    /// Retry also what was retried before.
    var again = false
    var reason: String?
    /// It counts, and says how to go on.
    var isAsked = false
    /// Bulk ends with 1 as soon as one was not done, not only when none was.
    var wantsAll = false

    init(act: Act, selection: JobSelection, by: String?, json: Bool) {
        (self.act, self.selection, self.by, self.json) = (act, selection, by, json)
    }

    init(verb: JobVerb, selection: JobSelection, by: String?, json: Bool) {
        self.init(act: .verb(verb), selection: selection, by: by, json: json)
    }

    private struct Line: Encodable {
        let id: JobID
        let result: JobResult.Result
        @OrNull var newID: JobID?
    }

    func run(_ settings: Settings) async throws {
        if selection.dryRun || isAsked { return try await count(settings) }
        if selection.all { return try await all(settings) }
        let lines = try await Database.current(settings) { database in
            try await each(someone(database))
        }
        if json {
            Terminal.output(try JSONText.encode(lines))
        } else {
            // One that isn't there is told as an error.
            for line in lines where line.result != .unknown { Terminal.output(text(line)) }
        }
        if let line = lines.first(where: { $0.result == .unknown }) {
            throw Failure.noJob(line.id)
        }
        if lines.contains(where: { refusals[$0.result] != nil }) { throw ExitCode(Exit.findings) }
    }

    private func someone(_ database: Database) -> Operator {
        Operator(client: database.client, as: by ?? Whom.name, because: reason)
    }

    private func text(_ line: Line) -> String {
        if let refusal = refusals[line.result] {
            let other = line.newID.map { ": \($0)" } ?? ""
            return "nothing done to \(line.id): \(refusal)\(other)"
        }
        let new = line.newID.map { ", as \($0)" } ?? ""
        return "\(line.result.rawValue) \(line.id)\(new)"
    }

    private func each(_ someone: Operator) async throws -> [Line] {
        switch act {
        case .verb(let verb):
            var lines: [Line] = []
            for id in selection.ids { lines.append(try await one(id, verb, someone)) }
            return lines
        case .forget(let cancelling):
            // Together: a job goes with its letter, which may be named as well.
            let results = try await someone.forget(selection.ids, cancelling: cancelling)
            return results.map { Line(id: $0.id, result: $0.result) }
        }
    }

    private func one(_ id: JobID, _ verb: JobVerb, _ someone: Operator) async throws -> Line {
        switch verb {
        case .cancel: return Line(id: id, result: try await someone.cancel(id))
        case .discard: return Line(id: id, result: try await someone.discard(id))
        case .delete: return Line(id: id, result: try await someone.delete(id))
        case .retry:
            guard let found = try await someone.retry(id, again: again) else {
                return Line(id: id, result: .unknown)
            }
            return Line(
                id: id, result: found.result == .kept ? .kept : .retried,
                newID: found.id == id ? nil : found.id)
        }
    }

    // MARK: Bulk

    private var filter: JobFilter {
        var filter = selection.flags.filter
        // What is due, or is to be later, has states of its own.
        if filter.states.isEmpty, filter.isDue == nil { filter.states = states }
        if case .verb(.retry) = act { filter.leavesOutRetried = true }
        return filter
    }

    private func count(_ settings: Settings) async throws {
        let groups = try await Database.current(settings) { try await $0.inspector.count(filter) }
        try Terminal.report(
            DryRun(groups: groups, because: isAsked ? "without --yes" : "because of --dry-run"),
            json: json)
        if isAsked { throw ExitCode(Exit.findings) }
    }

    private struct Tally: Encodable {
        let matched: Int
        let results: [JobResult.Result: Int]
    }

    private func all(_ settings: Settings) async throws {
        let tally = try await Database.current(settings) { database in
            let total = try await database.inspector.count(filter).map(\.count).reduce(0, +)
            defer { Terminal.endProgress() }
            var sofar: [JobResult.Result: Int] = [:]
            do {
                return try await apply(someone(database)) { done, tally in
                    sofar = tally
                    let all = CountText.of(max(done, total), "job")
                    Terminal.progress("\(act.name): \(done) of \(all)")
                }
            } catch {
                // What is done stays done, whatever came then.
                Terminal.endProgress()
                if !sofar.isEmpty { try show(sofar) }
                throw error
            }
        }
        try show(tally)
        let isUndone = !tally.isEmpty && tally.keys.allSatisfy { refusals[$0] != nil }
        let isPartial =
            tally[.busy] != nil || tally[.refused] != nil
            || wantsAll && tally.keys.contains { refusals[$0] != nil }
        if isUndone || isPartial { throw ExitCode(Exit.findings) }
    }

    private func apply(
        _ someone: Operator, telling progress: BulkProgress
    ) async throws -> [JobResult.Result: Int] {
        switch act {
        case .verb(let verb):
            try await someone.apply(verb, toAll: filter, telling: progress)
        case .forget(let cancelling):
            try await someone.forget(all: filter, cancelling: cancelling, telling: progress)
        }
    }

    private func show(_ tally: [JobResult.Result: Int]) throws {
        let matched = tally.values.reduce(0, +)
        if json {
            Terminal.output(try JSONText.encode(Tally(matched: matched, results: tally)))
        } else if tally.isEmpty {
            Terminal.output("no job matches")
        } else {
            let sorted = tally.sorted {
                ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
            }
            for (result, count) in sorted {
                if let refusal = refusals[result] {
                    Terminal.output("nothing done to \(count): \(refusal)")
                    continue
                }
                let why = Self.notes[result].map { ": \($0)" } ?? ""
                Terminal.output("\(result.rawValue) \(count)\(why)")
            }
        }
    }

    private static let notes: [JobResult.Result: String] = [
        .cancelling: "they run, and were told to stop",
        .unknown: "history has dropped them meanwhile",
        .refused: "they can't be enqueued as they are; for the reason: tenure job retry ID",
        .busy: "somebody's open transaction holds them or their keys; try again later",
    ]
}

/// What a verb would be done to.
struct DryRun: Report {
    let groups: [JobCount]
    let because: String

    func encode(to encoder: any Encoder) throws {
        try encoder.write(["dryRun": true, "matched": matched, "groups": groups])
    }

    private var matched: Int { groups.map(\.count).reduce(0, +) }

    var text: String {
        (matched > 0 ? Table(groups).text + "\n" : "") + CountText.of(matched, "job")
            + (matched == 1 ? " matches" : " match") + "; nothing was done, \(because)"
    }
}

extension JobCount: TableRow {
    static let titles = ["state", "kind", "queue", "jobs"]
    var cells: [String?] { [status.rawValue, kind.rawValue, queue.rawValue, "\(count)"] }
}
