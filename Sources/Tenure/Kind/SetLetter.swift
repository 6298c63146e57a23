import TenurePostgres

/// Sets or takes away where letters go; answers whether anything was done.
struct SetLetter: PostgresStatement {
    static let sql = "SELECT tenure.set_letter($1, $2, $3, $4, $5, $6)"
    /// kind or queue.
    let thing: String
    let name: String
    let address: LetterAddress?
    let doer: Doer

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(thing)
        try parameters.append(name)
        try parameters.append(address?.kind.rawValue)
        try parameters.append(address?.queue?.rawValue)
        try parameters.append(whom: doer.whom)
        try parameters.append(note: doer.note())
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool {
        try row.decode(0, as: Bool.self)
    }
}

extension Operator {
    /// Sets where letters of a kind's discarded jobs go, from the next discard on; it stands before
    /// what the kind's code says, and before the address of a queue. Nil takes the address away,
    /// whoever has set it; what code says comes back with the next worker of the kind that starts.
    ///
    /// Of an address kind and queue count; letters have what the type's own options say where the
    /// kind's code names the same kind, else 25 attempts and priority 5.
    /// - Returns: whether there was something to do.
    /// - Throws: `TenureError` with `.invalidJob` for an address of letters of letters.
    @discardableResult
    public func setLetters(of kind: JobKind, to address: LetterAddress?) async throws -> Bool {
        try await setLetters(of: "kind", kind.rawValue, to: address)
    }

    /// The same for the jobs of a queue whose kinds have no address of their own.
    @discardableResult
    public func setLetters(of queue: QueueName, to address: LetterAddress?) async throws -> Bool {
        try await setLetters(of: "queue", queue.rawValue, to: address)
    }

    private func setLetters(
        of thing: String, _ name: String, to address: LetterAddress?
    ) async throws -> Bool {
        try JobLimits.check(name: name, of: thing, longest: JobLimits.longestName)
        return try await client.pool.ask(
            SetLetter(thing: thing, name: name, address: address, doer: doer))[0]
    }
}
