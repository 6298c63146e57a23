import Foundation

/// Rule 14: what stood in the tables in the end is what the audited changes add up to.
enum TablesAddUp: Rule {
    static let number = 14
    static let title = "the tables are what the audit adds up to"

    static func judge(_ history: RecordedHistory) -> Findings {
        var findings = Findings(rule: number, "audited changes", "rows in the end")
        let audit = history.audit
        let final = history.final
        let rows = Rows(recording: history.recording)
        compare(audit.jobs, final.jobs, "job", isUnique: true, rows, &findings) { $0.id }
        compare(audit.history, final.history, "job_history", isUnique: false, rows, &findings) {
            $0.id
        }
        compare(audit.subjects, final.subjects, "subject", isUnique: true, rows, &findings) {
            $0.subject
        }
        compare(audit.effects, final.effects, "effect", isUnique: false, rows, &findings) {
            RunID(job: $0.job, fence: $0.fence)
        }
        return findings
    }

    private static func compare<Row: AuditRow, Key: Hashable>(
        _ changes: [Change<Row>], _ found: [FinalTables.Found<Row>], _ table: String,
        isUnique: Bool, _ rows: Rows, _ findings: inout Findings, key: (Row) -> Key
    ) {
        var replay = Replay<Row, Key>(table: table, isUnique: isUnique)
        for change in changes {
            findings.judge(0)
            replay.follow(change, key, &findings)
        }
        for one in found {
            findings.judge(1)
            let candidates = replay.rows[key(one.row)] ?? []
            guard !candidates.isEmpty else {
                findings.violation(
                    "a row of `\(table)` (\(key(one.row))) was never audited", [one.place])
                continue
            }
            let index = candidates.firstIndex { rows.differences($0, one).isEmpty }
            if index == nil {
                let names = rows.differences(candidates[0], one).joined(separator: "`, `")
                findings.violation(
                    "a row of `\(table)` (\(key(one.row))) differs from the audit in `\(names)`",
                    [candidates[0].place, one.place])
            }
            replay.rows[key(one.row)]?.remove(at: index ?? 0)
        }
        for missing in replay.rows.values.joined() {
            findings.violation(
                "a row of `\(table)` was audited and is not there", [missing.place])
        }
    }
}

/// The rows of a table as the audited changes make them, one after the other.
private struct Replay<Row: AuditRow, Key: Hashable> {
    let table: String
    let isUnique: Bool
    var rows: [Key: [Change<Row>]] = [:]

    init(table: String, isUnique: Bool) {
        self.table = table
        self.isUnique = isUnique
    }

    mutating func follow(
        _ change: Change<Row>, _ key: (Row) -> Key, _ findings: inout Findings
    ) {
        if let old = change.old {
            let known = rows[key(old)] ?? []
            if let index = known.firstIndex(where: { $0.new == old }) {
                rows[key(old)]?.remove(at: index)
            } else {
                findings.violation(
                    "a row of `\(table)` (\(key(old))) changed, and was not what the audit says",
                    known.map(\.place) + [change.place])
                if isUnique { rows[key(old)] = [] }
            }
        }
        guard let new = change.new else { return }
        if isUnique, change.old == nil, rows[key(new)]?.isEmpty == false {
            findings.violation(
                "a row of `\(table)` (\(key(new))) was inserted twice", [change.place])
            rows[key(new)] = []
        }
        rows[key(new), default: []].append(change)
    }
}

/// Compares whole rows, every column of them, from where they stand in the files.
private struct Rows {
    let recording: Recording

    func differences<Row: AuditRow>(
        _ change: Change<Row>, _ found: FinalTables.Found<Row>
    ) -> [String] {
        recording.auditFile.value(at: change.header.row) { audited in
            recording.finalFile.value(at: found.range) { final in
                if audited.count == final.count,
                    memcmp(audited.start, final.start, final.count) == 0
                {
                    return []
                }
                do throws(JSONError) {
                    return try JSONTree(audited).differences(from: JSONTree(final))
                } catch {
                    return [error.what]
                }
            }
        }
    }
}
