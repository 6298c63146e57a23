enum UTF8Bytes {
    static func isValid(_ bytes: [UInt8]) -> Bool {
        // Reason for `try?`: whether it throws is the question; where the fault lies is not asked.
        (try? UTF8Span(validating: bytes.span)) != nil
    }
}
