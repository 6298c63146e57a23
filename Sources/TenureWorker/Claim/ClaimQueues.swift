import Tenure
import TenurePostgres

/// Takes jobs of many queues at once.
struct ClaimQueues: PostgresStatement {
    enum Answer: Sendable {
        case job(ClaimedJob)
        /// The queue has a limit: it is to be claimed from by itself.
        case isLimited(QueueName)
        /// The call had enough before it came to the queue.
        case isLeft(QueueName)
    }

    static let sql = """
        SELECT \(ClaimJobs.columns)
        FROM tenure.claim_queues($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS c
        """
    /// Of one session, and with the same kinds.
    let requests: [ClaimRequest]

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(requests[0].session.rawValue)
        try parameters.append(requests.map(\.queue.rawValue))
        try parameters.append(requests[0].kinds.map(\.kind.rawValue))
        try parameters.append(requests.map { Int32($0.wanted) })
        try parameters.append(requests.map { Int32($0.ahead) })
        try parameters.append(requests[0].kinds.map(\.newestVersion))
        let positions = requests.map { $0.position ?? ClaimPosition() }
        try parameters.append(positions.flatMap { $0.runTimes + [$0.turn] })
        try parameters.append(positions.flatMap(\.ids))
        try parameters.append(requests.flatMap(\.over).map(\.rawValue))
        try parameters.append(requests.map { $0.position == nil ? nil : $0.passed.rawValue })
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Answer {
        if try row.decode(1, as: Int64?.self) != nil { return .job(try ClaimJobs.decode(row)) }
        let queue = QueueName(try row.decode(17, as: String.self))
        return try row.decode(11, as: Int32?.self) == nil ? .isLimited(queue) : .isLeft(queue)
    }
}
