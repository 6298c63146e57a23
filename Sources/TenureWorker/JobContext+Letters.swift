public import Tenure

/// What a job that hears of discarded ones is told of them.
extension JobContext {
    /// A discarded job's payload, of whatever version it is, also where the worker's codec has
    /// sealed it.
    /// - Throws: `TenureError`: `.notKept` where it was left out; `.unknownKey` or `.notSealed`,
    ///   which hold the letter for a worker that can read it where the handler lets them through;
    ///   `.brokenSeal`. What decoding throws. `PostgresError` while the database is away, of a job
    ///   that repeats another.
    public func payload<J: Job>(of letter: DeadLetter, as type: J.Type = J.self) async throws -> J {
        let place = SealedPlace(.payload, of: letter.job, kind: letter.kind, key: letter.key)
        let json = try await client.opened(try letter.stored(), at: place)
        held.right.withCourse { $0.openedLetter = #"{"letter":{"payload":\#(json)}}"# }
        return try letter.decoded(as: type) { _ in json }
    }
}
