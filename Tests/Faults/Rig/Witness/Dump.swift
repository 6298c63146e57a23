import FaultSupport
import Tenure

/// Writes down what the database holds after the end.
struct Dump: Sendable {
    let pool: PostgresPool
    let recording: Recording
    private static let page = 2000

    func run() async throws {
        try await writeAudit()
        let file = try LineFile("\(recording.folder)/final.jsonl")
        for table in [
            "tenure.job", "tenure.job_history", "tenure.subject", "effect",
            "tenure.attempt_error",
        ] {
            try await write(table, to: file)
        }
    }

    private func writeAudit() async throws {
        let file = try LineFile("\(recording.folder)/audit.jsonl")
        var last: Int64 = 0
        while true {
            let rows = try await pool.query(
                """
                SELECT seq, (jsonb_build_object(
                           'seq', seq, 'boot', boot, 'xid', xid::text::bigint, 'table', about,
                           'op', op)
                       || CASE WHEN old IS NULL THEN '{}' ELSE jsonb_build_object('old', old) END
                       || CASE WHEN new IS NULL THEN '{}' ELSE jsonb_build_object('new', new) END
                       )::text
                FROM rig.audit WHERE seq > $1 ORDER BY seq LIMIT \(Self.page)
                """, [last]
            ) { (try $0.decode(0, as: Int64.self), try $0.decode(1, as: String.self)) }
            for (seq, line) in rows {
                file.write(line: line)
                last = seq
            }
            if rows.count < Self.page { return }
        }
    }

    private func write(_ table: String, to file: LineFile) async throws {
        let name = String(table.split(separator: ".").last ?? "")
        var offset = 0
        while true {
            // Nobody writes any more: the order of the rows on disk stands still.
            let lines = try await pool.query(
                """
                SELECT jsonb_build_object('table', '\(name)', 'row', to_jsonb(t))::text
                FROM \(table) AS t ORDER BY tableoid, ctid OFFSET \(offset) LIMIT \(Self.page)
                """
            ) { try $0.decode(0, as: String.self) }
            for line in lines { file.write(line: line) }
            offset += lines.count
            if lines.count < Self.page { return }
        }
    }
}
