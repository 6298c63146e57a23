package import FoundationEssentials
import TenurePostgres

/// What one look at waiting jobs came to.
package struct WaitingSweep: Sendable {
    /// Where to go on; nil at the end of a round.
    package let onward: UUID?
    /// How many waited for nothing.
    package let released: Int

    package init(onward: UUID?, released: Int) {
        self.onward = onward
        self.released = released
    }
}

/// Lets jobs go that wait though no run of their key is left, some at a time.
struct SweepWaiting: PostgresStatement {
    static let sql = "SELECT s.onward, s.released FROM tenure.sweep_waiting($1, 5000) AS s"
    let after: UUID?

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(after) }

    static func decode(_ row: borrowing PostgresRow) throws -> WaitingSweep {
        WaitingSweep(
            onward: try row.decode(0), released: Int(try row.decode(1, as: Int32.self)))
    }
}
