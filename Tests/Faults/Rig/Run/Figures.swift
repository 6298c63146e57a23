import Tenure

/// What a run comes to in numbers.
struct Figures: Sendable {
    let database: Database
    let folder: String

    private static let counts = [
        ("jobs ended", "SELECT count(*) FROM rig.audit WHERE about = 'job' AND op = 'delete'"),
        (
            "runs",
            """
            SELECT count(*) FROM rig.audit WHERE about = 'job' AND op = 'update'
               AND new ->> 'state' = 'running' AND old ->> 'state' <> 'running'
            """
        ),
        ("superseded", "SELECT count(*) FROM tenure.job_history WHERE outcome = 'superseded'"),
        ("cancelled", "SELECT count(*) FROM tenure.job_history WHERE outcome = 'cancelled'"),
        ("discarded", "SELECT count(*) FROM tenure.job_history WHERE outcome = 'discarded'"),
        ("visible commits", "SELECT count(*) FROM effect"),
    ]

    func add(to verdict: inout Verdict) async throws {
        for (name, sql) in Self.counts {
            let count = try await database.number(sql, deadline: .seconds(600))
            verdict.add(name, "\(count)")
        }
        let logs = LogFigures.read(folder)
        verdict.add("late results refused", "\(logs.late)")
        verdict.add("unknown commits resolved", "\(logs.resolved)")
        verdict.add("drained after", logs.drain.map { "\($0) s" } ?? "never")
    }

    /// What did not drain.
    func left() async throws -> String {
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

/// What only the logs know.
private struct LogFigures {
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
        if let end, let drained { figures.drain = ((drained - end) * 100).rounded() / 100 }
        return figures
    }

    private static func boot(_ line: Substring) -> Double? {
        line.firstMatch(of: #/"boot":([0-9.e+]+)/#).flatMap { Double($0.1) }
    }
}
