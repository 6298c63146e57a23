import Tenure
import TenureFoundation

/// A job enqueued and claimed by a session of its own, and all of it rolled back: what settings,
/// rights and tables look like is not yet that the queue works.
struct QueueTrial: Sendable {
    let pool: PostgresPool
    private static let name = "queue"
    /// What the user may not do: it has a part in which it does something else.
    private static let refused = "42501"

    private struct TakenBack: Error {}

    func run() async -> Finding {
        do {
            let claimed = try await tried()
            guard claimed == 1 else {
                return .fail(
                    Self.name, "a job that was enqueued could not be claimed",
                    "Compare the functions with this release's: tenure migrate up")
            }
            return .ok(Self.name, "a job was enqueued and claimed, and taken back")
        } catch let error as PostgresError where error.sqlState == Self.refused {
            return .ok(Self.name, "not tried: the user may not both enqueue and claim")
        } catch {
            return .fail(
                Self.name, ErrorLine.text(error), "Jobs can't be enqueued and claimed until then")
        }
    }

    /// - Returns: how many jobs a claim took.
    private func tried() async throws -> Int {
        let queue = "tenure-doctor-\(UUID().uuidString.lowercased())"
        var claimed = 0
        do {
            try await pool.transaction { transaction in
                let session = try await transaction.execute(OpenTrial(queue: queue))[0]
                _ = try await transaction.execute(EnqueueTrial(queue: queue))
                claimed = try await transaction.execute(
                    ClaimTrial(session: session, queue: queue)
                ).count
                throw TakenBack()
            }
        } catch is TakenBack {}
        return claimed
    }
}

struct OpenTrial: PostgresStatement {
    static let sql = """
        SELECT tenure.open_session('worker', 'doctor', '', '1 min', ARRAY[$1], '{tenure-doctor}')
        """
    let queue: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(queue) }
    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}

struct EnqueueTrial: PostgresStatement {
    static let sql = "SELECT e.job_id FROM tenure.enqueue('tenure-doctor', queue => $1) AS e"
    let queue: String

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(queue) }
    static func decode(_ row: borrowing PostgresRow) throws -> UUID { try row.decode(0) }
}

struct ClaimTrial: PostgresStatement {
    static let sql = "SELECT c.id FROM tenure.claim($1, $2, '{tenure-doctor}', 1) AS c"
    let session: Int64
    let queue: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(session)
        try parameters.append(queue)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> UUID { try row.decode(0) }
}
