import Tenure

/// A verb for many that has come to only some of them.
struct BrokenOff: Error {
    /// What was done before, as a sentence.
    let done: String
    let cause: any Error
}

/// What came of a verb, and where that is seen.
package struct VerbResult: Encodable, Sendable {
    let result: String
    /// Where somebody goes next; no part of what programs are told.
    let path: [String]
    let isGood: Bool
    let query: [(String, String?)]

    package init(
        result: String, path: [String], isGood: Bool = true, query: [(String, String?)] = []
    ) {
        (self.result, self.path, self.isGood, self.query) = (result, path, isGood, query)
    }

    package func encode(to encoder: any Encoder) throws { try encoder.write(["result": result]) }
}
