/// The words that statements answer with are the cases of enumerations.
extension RawRepresentable<String> {
    /// - Parameter question: what the database was asked, for the error.
    /// - Throws: `TenureError` with `.schemaMismatch` for a word that a newer schema has brought.
    package init(answer: String, to question: String) throws {
        guard let known = Self(rawValue: answer) else {
            throw TenureError(
                .schemaMismatch,
                "the database answered \"\(answer)\" to \(question): it is newer than this program")
        }
        self = known
    }
}
