// docs/decisions/encryption.md

import TenureFoundation

/// Seals what is written, and opens what is read, with a program's codec, if it has one.
package struct PayloadSeals: Sendable {
    package static let none = PayloadSeals(nil)
    package let codec: (any PayloadCodec)?

    package init(_ codec: (any PayloadCodec)?) { self.codec = codec }

    /// Whether there is nothing to do to this: it is as it is read.
    package func isOpen(_ stored: String) -> Bool {
        !SealedJSON.isSealed(stored) && codec?.readsPlain ?? true
    }

    // MARK: Sealing

    /// JSON as it is to be stored.
    /// - Throws: `TenureError` with `.invalidJob` where the codec refuses it, or where it is too
    ///   large then.
    package func sealed(_ json: String, for context: PayloadContext) throws -> String {
        guard let codec else { return json }
        let encoded: EncodedPayload
        do {
            encoded = try codec.encode(Array(json.utf8), for: context)
        } catch {
            // What it says may repeat the content.
            throw TenureError(
                .invalidJob,
                "\(context.content.words) could not be sealed: the codec threw "
                    + "\(type(of: error))", cause: error)
        }
        guard codec.keys.contains(encoded.key), KeyNames.isGood(encoded.key) else {
            throw TenureError(
                .invalidJob,
                "\(context.content.words) was sealed with a key that the codec doesn't name among "
                    + "its own: nobody could open it")
        }
        let sealed = try SealedJSON(encoded, of: context.owner).text()
        guard sealed.utf8.count <= JobLimits.largestPayload else {
            throw TenureError(
                .invalidJob,
                "\(context.content.words) has \(json.utf8.count) bytes, and "
                    + "\(sealed.utf8.count) when it is sealed, at most "
                    + "\(JobLimits.largestPayload) are allowed; store it elsewhere and enqueue a "
                    + "reference")
        }
        return sealed
    }

    // MARK: Opening

    /// What was stored, as JSON.
    /// - Throws: `TenureError`: `.unknownKey` or `.notSealed`, where another program may be able to
    ///   read it; `.brokenSeal`.
    package func opened(_ stored: String, at place: SealedPlace) throws -> String {
        switch try opening(stored, at: place) {
        case .open(let json): return json
        case .elsewhere(let sealed, let job):
            throw broken(sealed, at: place, "it was sealed for job \(job)")
        }
    }

    /// The same where a job may be one that another stands for, which costs a question.
    /// - Parameter isOf: whether what was sealed for that job belongs here all the same.
    package func opened(
        _ stored: String, at place: SealedPlace, isOf: (JobID) async throws -> Bool
    ) async throws -> String {
        switch try opening(stored, at: place) {
        case .open(let json): return json
        case .elsewhere(let sealed, let job):
            guard try await isOf(job) else {
                throw broken(sealed, at: place, "it was sealed for job \(job)")
            }
            var place = place
            place.job = job
            return try open(sealed, at: place)
        }
    }

    private enum Opening {
        case open(String)
        case elsewhere(SealedJSON, JobID)
    }

    private func opening(_ stored: String, at place: SealedPlace) throws -> Opening {
        if isOpen(stored) { return .open(stored) }
        guard SealedJSON.isSealed(stored) else {
            throw TenureError(
                .notSealed,
                "\(place.words) isn't sealed, and the codec reads nothing else: let it read what "
                    + "is plain, or enqueue the job with a codec")
        }
        guard let sealed = SealedJSON(stored) else {
            throw TenureError(
                .brokenSeal, "\(place.words) is sealed in a form that nobody writes")
        }
        guard let codec, codec.keys.contains(sealed.key) else { throw unknown(sealed, at: place) }
        if let job = sealed.job, job != place.job { return .elsewhere(sealed, job) }
        return .open(try open(sealed, at: place))
    }

    private func open(_ sealed: SealedJSON, at place: SealedPlace) throws -> String {
        guard let codec else { throw unknown(sealed, at: place) }
        guard let encoded = sealed.encoded, let context = place.context(of: sealed) else {
            throw broken(sealed, at: place, "it was changed, or belongs elsewhere")
        }
        do {
            let bytes = try codec.decode(encoded, for: context)
            guard let json = String(validating: bytes, as: UTF8.self) else { throw NoText() }
            return json
        } catch {
            throw broken(
                sealed, at: place,
                "it was changed, belongs elsewhere, or the key of that name is another", error)
        }
    }

    private func unknown(_ sealed: SealedJSON, at place: SealedPlace) -> TenureError {
        let known =
            if let codec {
                "this program's codec has \(codec.keys.sorted().joined(separator: ", "))"
            } else {
                "this program has no codec"
            }
        return TenureError(
            .unknownKey,
            "\(place.words) is sealed with key \(PlainText.line(sealed.key)), and \(known)")
    }

    private func broken(
        _ sealed: SealedJSON, at place: SealedPlace, _ why: String, _ cause: (any Error)? = nil
    ) -> TenureError {
        TenureError(
            .brokenSeal,
            "\(place.words), sealed with key \(PlainText.line(sealed.key)), can't be opened: "
                + why,
            cause: cause)
    }
}

/// What a codec opened is no UTF-8.
private struct NoText: Error {}
