package import FoundationEssentials
package import TenurePostgres

/// Ends those of the runs that have no job left; returns them.
package struct SettleRuns: PostgresStatement {
    package static let sql = "SELECT s.id FROM tenure.settle_runs($1) AS s (id)"
    let runs: [UUID]

    package init(runs: [UUID]) { self.runs = runs }

    package func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(runs)
    }

    package static func decode(_ row: borrowing PostgresRow) throws -> UUID { try row.decode(0) }
}

/// Does what is left to do for open runs, some at a time; returns where to go on, nil at the end.
package struct SweepRuns: PostgresStatement {
    package static let sql = "SELECT tenure.sweep_runs($1, 200)"
    let after: UUID?

    package init(after: UUID?) { self.after = after }

    package func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(after)
    }

    package static func decode(_ row: borrowing PostgresRow) throws -> UUID? {
        try row.decode(0)
    }
}
