public import TenureFoundation

extension Operator {
    /// Sends a signal to a job, in the operator's name; see `TenureClient.signal`.
    /// - Parameter json: its payload, as JSON.
    @discardableResult
    public func signal(
        _ job: JobID, _ name: String, json: String? = nil, id: UUID = UUID()
    ) async throws -> SignalResult {
        let message = try SignalMessage(name, json: json, id: id, from: doer)
            .sealed(by: client.seals, for: .job(job))
        return try await client.send(SendSignal(job: job, message: message))
    }

    /// The same to the newest job of a key that is not out of date.
    @discardableResult
    public func signal(
        kind: JobKind, key: String, _ name: String, json: String? = nil, id: UUID = UUID()
    ) async throws -> SignalResult {
        let message = try SignalMessage(name, json: json, id: id, from: doer)
            .sealed(by: client.seals, for: .key(key), of: kind)
        return try await client.send(SendSignalToKey(kind: kind, key: key, message: message))
    }
}
