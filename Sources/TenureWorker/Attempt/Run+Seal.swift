// docs/decisions/encryption.md

import Tenure

/// What of a run is stored in another form than its handler sees.
extension Run {
    var isSealed: Bool { SealedJSON.isSealed(job.payload) }

    /// Its payload as JSON.
    /// - Throws: `TenureError`: `.unknownKey`, `.notSealed`, `.brokenSeal`; `PostgresError`.
    func openPayload(with client: TenureClient) async throws -> String {
        let json = try await client.opened(job.payload, at: place(of: .payload))
        right.withCourse { $0.openedPayload = json }
        return json
    }

    func place(of content: PayloadContext.Content) -> SealedPlace {
        SealedPlace(content, of: info.job, kind: info.kind, key: info.key)
    }

    /// What its handler came to, as it is stored.
    /// - Throws: `TenureError` with `.invalidJob`.
    func sealed(_ outcome: JobOutcome) throws -> JobOutcome {
        guard let seals = handler?.seals, seals.codec != nil,
            case .completed(let json?) = outcome.way
        else { return outcome }
        let context = PayloadContext(.result, of: .job(info.job), kind: info.kind)
        return JobOutcome(way: .completed(result: try seals.sealed(json, for: context)))
    }

    func sealed(_ result: Result<JobOutcome, any Error>) -> Result<JobOutcome, any Error> {
        guard handler?.seals.codec != nil, case .success(let outcome) = result else {
            return result
        }
        return Result { try sealed(outcome) }
    }
}
