import Tenure

/// What a run says, with a mask where it repeats a secret of its payload.
struct Veil: Sendable {
    let fields: SecretFields
    let payload: String
    /// The same as a letter whose payload was opened.
    var letter: String?

    static let none = Veil(fields: SecretFields([]), payload: "")

    func text(_ text: String) -> String {
        let veiled = fields.veiled(text, of: payload)
        return letter.map { fields.veiled(veiled, of: $0) } ?? veiled
    }

    func text(_ error: any Error) -> String { text("\(error)") }

    /// The error itself where it repeats nothing: whoever gets it may look at its type.
    func error(_ error: any Error) -> any Error {
        let said = "\(error)"
        let veiled = text(said)
        return said == veiled ? error : ReportedFailure(description: veiled)
    }

    func outcome(_ outcome: JobOutcome) -> JobOutcome {
        switch outcome.way {
        case .discarded(let reason): .discard(reason: text(reason))
        case .retried(let pause, let reason): .retry(after: pause, reason: text(reason))
        case .completed, .snoozed, .moved, .committed: outcome
        }
    }

    func progress(_ progress: JobProgress) -> JobProgress {
        var progress = progress
        progress.note = progress.note.map(text)
        return progress
    }
}
