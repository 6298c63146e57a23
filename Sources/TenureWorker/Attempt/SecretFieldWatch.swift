import Logging
import Tenure
import TenureFoundation
import TenurePostgres

/// Says once of a kind that its options name a secret field that no payload has: a misspelt name
/// would show what it was to hide.
final class SecretFieldWatch: Sendable {
    private let fields: [String]
    private let kind: JobKind
    private let logger: Logger
    private let hasLooked = Lock(false)

    init(_ fields: SecretFields, _ kind: JobKind, _ logger: Logger) {
        (self.fields, self.kind, self.logger) = (fields.fields, kind, logger)
    }

    /// - Parameter job: what the payload came to: a property without a value isn't in the payload.
    func look(at payload: String, of job: some Job) {
        if fields.isEmpty { return }
        let isFirst = hasLooked.withLock { looked in
            defer { looked = true }
            return !looked
        }
        guard isFirst else { return }
        // Reason for `try?`: a payload that is no object has no fields.
        let names = (try? PayloadDecoder.decode([String: PayloadValue].self, from: payload)) ?? [:]
        let known = Set(names.keys)
            .union(Mirror(reflecting: job).children.compactMap(\.label))
        let strange = fields.filter { !known.contains(String($0.prefix { $0 != "." })) }
        if strange.isEmpty { return }
        logger.warning(
            "secretFields names what the payload doesn't have, and so hides nothing",
            metadata: .init([
                .jobKind: "\(kind)",
                .reason: "no \(strange.joined(separator: ", ")) among "
                    + known.sorted().joined(separator: ", ")
                    + "; name fields as the payload's JSON has them",
            ]))
    }
}
