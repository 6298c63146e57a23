import Tenure
import TenurePostgres

struct NextDue: PostgresStatement {
    static let sql = "SELECT d.due_in, d.guarded FROM tenure.next_due($1, $2, $3, $4, $5, $6) AS d"
    let queue: QueueName
    let kinds: [ReadableKind]
    let position: ClaimPosition?
    let release: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(queue.rawValue)
        try parameters.append(kinds.map(\.kind.rawValue))
        try parameters.append(position.map { $0.runTimes + [$0.turn] })
        try parameters.append(position?.ids)
        try parameters.append(kinds.map(\.newestVersion))
        try parameters.append(release)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> DueTime {
        DueTime(dueIn: try row.decode(0), isGuarded: try row.decode(1))
    }
}
