extension DeadLetter {
    /// The discarded job's payload, of whatever version it is.
    /// - Throws: `TenureError` with `.notKept` where it was left out, or with `.misuse` where it is
    ///   sealed (`JobContext.payload(of:as:)` reads it), and what decoding throws.
    public func payload<J: Job>(as type: J.Type = J.self) throws -> J {
        try decoded(as: type) { stored in
            guard !SealedJSON.isSealed(stored) else {
                throw TenureError(
                    .misuse,
                    "the payload of job \(job) is sealed, in its letter too: read it with "
                        + "context.payload(of: letter)")
            }
            return stored
        }
    }

    /// The same, with what is stored made JSON first.
    package func decoded<J: Job>(as type: J.Type, _ opened: (String) throws -> String) throws -> J {
        try J.read(try opened(stored()), version: payloadVersion, J.options)
    }

    /// As it is in the letter.
    package func stored() throws -> String {
        guard let payload else {
            throw TenureError(
                .notKept, "the payload of job \(job) is too large for a letter: read it in history")
        }
        return payload
    }
}
