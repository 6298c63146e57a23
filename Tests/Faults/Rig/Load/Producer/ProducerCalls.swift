import FaultSupport
import Synchronization
import Tenure
import TenureFoundation

/// The calls of a producer, each written down before it is made and after it was answered.
final class ProducerCalls: Sendable {
    private let log: LineFile
    private let pool: PostgresPool
    private let client: TenureClient
    private let admin: Operator
    private let number = Atomic<Int64>(0)
    private let recent = Mutex<[JobID]>([])

    init(log: LineFile, pool: PostgresPool, client: TenureClient, name: String) {
        self.log = log
        self.pool = pool
        self.client = client
        admin = Operator(client: client, as: name)
    }

    /// Jobs that this process enqueued lately.
    var lately: [JobID] { recent.withLock { $0 } }

    // MARK: Enqueue

    @discardableResult
    func enqueue(_ drafts: [Draft]) async -> Bool {
        await answered(drafts) { try await self.client.enqueue(drafts.map(\.new)).map(\.id) }
    }

    /// With the caller's own write, in one transaction.
    func enqueueInTransaction(_ drafts: [Draft]) async -> Bool {
        await answered(drafts) {
            try await self.inTransaction { transaction in
                try self.client.enqueue(drafts.map(\.new), in: transaction)
                return drafts.map(\.new.id)
            }
        }
    }

    /// As another driver's transaction would: by SQL and text alone.
    func enqueueOnExecutor(_ drafts: [Draft]) async -> Bool {
        await answered(drafts) {
            try await self.inTransaction { transaction in
                let executor = TextExecutor(transaction: transaction)
                return try await self.client.enqueue(
                    drafts.map(\.new), on: executor, notify: true
                ).map(\.id)
            }
        }
    }

    private func inTransaction(
        _ body: @Sendable (PostgresTransaction) async throws -> [JobID]
    ) async throws -> [JobID] {
        let note = UUID()
        let ids = Mutex<[JobID]>([])
        do {
            try await pool.transaction(tracked: true) { transaction in
                try await transaction.query("INSERT INTO note (id) VALUES ($1)", [note])
                let enqueued = try await body(transaction)
                ids.withLock { $0 = enqueued }
            }
        } catch let error as PostgresError where error.code == .unknownCommit {
            guard try await isCommitted(error, note) else { throw RolledBack(cause: error) }
        }
        return ids.withLock { $0 }
    }

    /// - Throws: `StillUnknown` when it can't be found out.
    private func isCommitted(_ error: PostgresError, _ note: UUID) async throws -> Bool {
        guard let unknown = error.unknownCommit else { throw StillUnknown(cause: error) }
        do {
            defer { CallTrace.current?.noteResolved() }
            switch try await pool.resolve(unknown) {
            case .committed: return true
            case .aborted: return false
            case .inProgress: throw StillUnknown(cause: error)
            default:
                // The server crashed, and the id may be another transaction's: our row tells.
                return try await pool.query("SELECT true FROM note WHERE id = $1", [note]) > 0
            }
        } catch {
            throw StillUnknown(cause: error)
        }
    }

    private func answered(
        _ drafts: [Draft], _ body: () async throws -> [JobID]
    ) async -> Bool {
        let call = number.add(1, ordering: .relaxed).newValue
        log.write([
            ("event", "enqueueSent"), ("call", .integer(call)),
            ("jobs", .array(drafts.map(\.line))),
        ])
        let trace = CallTrace()
        let result: Result<[JobID], any Error>
        do {
            result = .success(try await CallTrace.$current.withValue(trace) { try await body() })
        } catch {
            result = .failure(error)
        }
        let ids = (try? result.get()) ?? []  // a failure is written below
        let jobs = zip(drafts, ids).map { draft, became in
            JSONValue.object([
                ("job", .string("\(draft.new.id)")), ("became", .string("\(became)")),
            ])
        }
        recent.withLock { $0 = ($0 + ids).suffix(60) }
        answer("enqueueAnswered", call, result, trace, [("jobs", ids.isEmpty ? nil : .array(jobs))])
        return !ids.isEmpty
    }

    // MARK: An operator's calls

    func cancel(_ job: JobID) async {
        await operate("cancel", job) {
            let became = try await self.admin.cancel(job)
            return [("became", .string("\(became)"))]
        }
    }

    func retry(_ job: JobID) async {
        await operate("retry", job) {
            let found = try await self.admin.retry(job)
            guard let found, found.result == .enqueued else {
                throw NoNewJob(became: found.map { "\($0.result)" } ?? "unknown")
            }
            return [("new", .string("\(found.id)"))]
        }
    }

    private func operate(
        _ verb: String, _ job: JobID, _ body: () async throws -> [(String, JSONValue?)]
    ) async {
        let call = number.add(1, ordering: .relaxed).newValue
        let about = ("job", Optional(JSONValue.string("\(job)")))
        log.write([("event", .string("\(verb)Sent")), ("call", .integer(call)), about])
        let trace = CallTrace()
        do {
            let more = try await CallTrace.$current.withValue(trace) { try await body() }
            answer("\(verb)Answered", call, .success([]), trace, [about] + more)
        } catch let error as PostgresError where error.sqlState == nil {
            // A call of one statement: nobody looks what became of it.
            answer("\(verb)Answered", call, .failure(StillUnknown(cause: error)), trace, [about])
        } catch {
            answer("\(verb)Answered", call, .failure(error), trace, [about])
        }
    }

    private func answer(
        _ event: String, _ call: Int64, _ result: Result<[JobID], any Error>, _ trace: CallTrace,
        _ more: [(String, JSONValue?)]
    ) {
        var error: (any Error)?
        var answer = "acknowledged"
        if case .failure(let thrown) = result {
            error = thrown
            let isUnknown =
                thrown is StillUnknown || thrown is CancellationError
                || (thrown as? TenureError)?.code == .unknownEnqueue
            answer = isUnknown ? "unknown" : "refused"
        }
        log.write(
            [
                ("event", .string(event)), ("call", .integer(call)), ("answer", .string(answer)),
                ("error", error.map { .string("\($0)") }),
                ("sqlstate", (error as? PostgresError)?.sqlState.map { .string($0) }),
                ("unknownResolved", trace.isResolved ? true : nil),
            ] + more)
    }
}

/// A retry that added none: the job was pending, its key has another, or there is none.
struct NoNewJob: Error { let became: String }

/// The commit was not answered, and has not happened.
struct RolledBack: Error { let cause: any Error }

/// Nobody could find out what became of it.
struct StillUnknown: Error { let cause: any Error }

/// A transaction as another driver would lend it.
struct TextExecutor: SQLExecutor {
    let transaction: PostgresTransaction

    func execute(sql: String, parameters: [String?]) async throws -> [[String?]] {
        try await transaction.query(sql, parameters) { row in
            try (0..<row.columnCount).map { column in
                row.columnType(column) == .text ? try row.decode(column, as: String?.self) : nil
            }
        }
    }
}
