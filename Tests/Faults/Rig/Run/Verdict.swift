import FaultSupport
import Tenure

/// What the rig itself says of a run: figures, and whether it was a run worth judging.
struct Verdict: Sendable {
    let text: String
    let failures: [String]

    static func make(
        _ options: RigOptions, recording: Recording, database: Database, isDrained: Bool,
        noDisk: String?, uncleanEnds: [String]
    ) async throws -> Verdict {
        let evidence = Evidence(recording.folder, lease: options.lease)
        let faults = Dictionary(grouping: recording.all, by: \.kind)
        let total = faults.values.reduce(0) { $0 + $1.count }
        var failures = uncleanEnds
        var lines = ["", "faults: \(total)"]
        for kind in options.kinds {
            if kind == .fillDisk, let noDisk {
                lines.append("  \(kind.rawValue.padded(18)) not possible here: \(noDisk)")
                continue
            }
            let happened = faults[kind] ?? []
            let felt = happened.count { $0.felt ?? evidence.shows($0) }
            lines.append("  \(kind.rawValue.padded(18)) \(happened.count), \(felt) felt")
            if happened.isEmpty {
                failures.append("\(kind) never happened")
            } else if felt == 0 {
                failures.append("\(kind) was felt by nobody")
            }
        }
        let wanted = Int(options.seconds / 3)
        if options.kinds.count == FaultKind.allCases.count, total < wanted {
            failures.append("only \(total) faults in \(Int(options.seconds)) s, \(wanted) wanted")
        }
        let logs = LogFigures.read(recording.folder)
        for (name, sql) in figures {
            lines.append("\(name.padded(36)) \(try await database.number(sql))")
        }
        lines.append("\("late results refused".padded(36)) \(logs.late)")
        lines.append("\("unknown commits resolved".padded(36)) \(logs.resolved)")
        lines.append("\("drained after".padded(36)) \(logs.drain.map { "\($0) s" } ?? "never")")
        if !isDrained {
            failures.append("not drained: \(try await left(database))")
        }
        lines += failures.map { "✘ \($0)" }
        return Verdict(text: lines.joined(separator: "\n"), failures: failures)
    }

    private static let figures = [
        (
            "jobs ended",
            "SELECT count(*) FROM rig.audit WHERE about = 'job' AND op = 'delete'"
        ),
        (
            "runs",
            "SELECT count(*) FROM rig.audit WHERE about = 'job' AND op = 'update' "
                + "AND new ->> 'state' = 'running' AND old ->> 'state' <> 'running'"
        ),
        (
            "jobs superseded",
            "SELECT count(*) FROM tenure.job_history WHERE outcome = 'superseded'"
        ),
        ("jobs cancelled", "SELECT count(*) FROM tenure.job_history WHERE outcome = 'cancelled'"),
        ("jobs discarded", "SELECT count(*) FROM tenure.job_history WHERE outcome = 'discarded'"),
        ("visible commits", "SELECT count(*) FROM effect"),
    ]

    private static func left(_ database: Database) async throws -> String {
        try await database.pool.query(
            """
            SELECT coalesce(string_agg(line, '; '), 'nothing left now') FROM (
                SELECT concat(count(*), ' ', state, ' in ', queue, ', next run in ',
                              date_trunc('second', min(run_at) - clock_timestamp())) AS line
                FROM tenure.job GROUP BY state, queue) AS l
            """
        ) { try $0.decode(0, as: String.self) }[0]
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

/// What only the processes' logs know.
struct LogFigures {
    var late = 0
    var resolved = 0
    var drain: Double?

    static func read(_ folder: String) -> LogFigures {
        var figures = LogFigures()
        for name in Files.names(in: folder) where name.hasPrefix("process-") {
            let text = Files.read("\(folder)/\(name)") ?? ""
            for line in text.split(separator: "\n") {
                if line.contains(#""event":"late""#) { figures.late += 1 }
                if line.contains(#""unknownResolved":true"#) { figures.resolved += 1 }
            }
        }
        let faults = (Files.read("\(folder)/faults.jsonl") ?? "").split(separator: "\n")
        let end = faults.first { $0.contains(#""fault":"end""#) }.flatMap(boot)
        let drained = faults.first { $0.contains(#""fault":"drained""#) }.flatMap(boot)
        if let end, let drained {
            figures.drain = ((drained - end) * 100).rounded() / 100
        }
        return figures
    }

    private static func boot(_ line: Substring) -> Double? {
        line.firstMatch(of: #/"boot":([0-9.e+]+)/#).flatMap { Double($0.1) }
    }
}
