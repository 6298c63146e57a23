import TenureFoundation
import TenurePostgres

/// A named message to a job.
struct SignalMessage: Sendable {
    let name: String
    /// JSON.
    private(set) var payload: String?
    let id: UUID
    var sender: String?
    /// Of an operator's; nil for a program's, which is no act.
    private var note: ActionNote?

    /// - Throws: `TenureError` with `.invalidJob` where the name or the payload breaks a limit.
    init(_ name: String, json: String?, id: UUID, sender: String? = nil) throws {
        try JobLimits.check(
            name: name, of: "the name of a signal", longest: JobLimits.longestName)
        if let json { try PayloadCheck.check(json, of: "the signal's payload") }
        (self.name, payload) = (name, json)
        (self.id, self.sender) = (id, sender)
    }

    /// - Throws: the same.
    init(_ name: String, json: String?, id: UUID, from doer: Doer) throws {
        try self.init(name, json: json, id: id, sender: doer.whom)
        note = doer.note()
    }

    /// - Throws: the same; also where the payload doesn't encode.
    init(_ name: String, payload: (any Encodable)?, id: UUID) throws {
        let json: String?
        do {
            json = try payload.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        } catch {
            throw TenureError(
                .invalidJob, "the payload of signal \"\(name)\" does not encode: \(error)",
                cause: error)
        }
        try self.init(name, json: json, id: id)
    }

    /// As it is stored, for a job or for whichever has a key.
    /// - Throws: `TenureError` with `.invalidJob`.
    func sealed(
        by seals: PayloadSeals, for owner: PayloadContext.Owner, of kind: JobKind? = nil
    ) throws -> SignalMessage {
        guard seals.codec != nil, let payload else { return self }
        var message = self
        message.payload = try seals.sealed(
            payload, for: PayloadContext(.signal(name), of: owner, kind: kind))
        return message
    }

    func append(to parameters: inout PostgresParameters) throws {
        try parameters.append(name)
        try parameters.append(payload.map { PostgresJSON($0) })
        try parameters.append(id)
        try parameters.append(sender)
        try parameters.append(note: note)
    }
}

/// What came of it, and the queue that has something to claim by it.
struct SignalAnswer: Sendable {
    var result: SignalResult
    let queue: QueueName?
}

/// Sends a signal to a job.
struct SendSignal: PostgresStatement {
    static let sql = "SELECT s.result, s.queue FROM tenure.send_signal($1, $2, $3, $4, $5, $6) AS s"
    let job: JobID
    let message: SignalMessage

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(job.uuid)
        try message.append(to: &parameters)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> SignalAnswer {
        SignalAnswer(
            result: try SignalResult(answer: row.decode(0)),
            queue: try row.decode(1, as: String?.self).map { QueueName($0) })
    }
}

/// Sends a signal to the newest job of a key that is not out of date.
struct SendSignalToKey: PostgresStatement {
    static let sql = """
        SELECT s.result, s.queue FROM tenure.send_signal_to_key($1, $2, $3, $4, $5, $6, $7) AS s
        """
    let kind: JobKind
    let key: String
    let message: SignalMessage

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kind.rawValue)
        try parameters.append(key)
        try message.append(to: &parameters)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> SignalAnswer {
        try SendSignal.decode(row)
    }
}
