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
            try await write(table: table, to: file)
        }
    }

    private func writeAudit() async throws {
        try await write(
            """
            SELECT (jsonb_build_object(
                        'seq', seq, 'boot', boot, 'xid', xid::text::bigint, 'table', about,
                        'op', op)
                    || CASE WHEN old IS NULL THEN '{}' ELSE jsonb_build_object('old', old) END
                    || CASE WHEN new IS NULL THEN '{}' ELSE jsonb_build_object('new', new) END
                    )::text
            FROM rig.audit ORDER BY seq
            """, to: LineFile("\(recording.folder)/audit.jsonl"))
    }

    private func write(table: String, to file: LineFile) async throws {
        let name = table.split(separator: ".").last ?? ""
        try await write(
            """
            SELECT jsonb_build_object('table', '\(name)', 'row', to_jsonb(t))::text
            FROM \(table) AS t
            """, to: file)
    }

    /// The lines of a query, a page at a time.
    private func write(_ query: String, to file: LineFile) async throws {
        try await pool.transaction { transaction in
            try await transaction.query("DECLARE lines NO SCROLL CURSOR FOR \(query)")
            while true {
                let lines = try await transaction.query("FETCH \(Self.page) FROM lines") {
                    try $0.decode(0, as: String.self)
                }
                for line in lines { file.write(line: line) }
                if lines.count < Self.page { return }
            }
        }
    }
}
