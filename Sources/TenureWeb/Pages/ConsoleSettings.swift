package import Tenure

/// How a console is mounted, and what it shows.
public struct ConsoleSettings: Sendable {
    /// Where it is mounted, without an end: `/admin`; empty at the root.
    public var prefix = ""
    /// Payloads and results of jobs are not shown, to nobody.
    public var hidesPayloads = false
    /// Takes secrets out of texts that jobs bring, and once more out of whatever goes out. What
    /// the kinds' own `secretFields` name never comes here.
    public var redact: @Sendable (String) -> String = { $0 }

    /// One line for people of an error of the database's.
    public var explain: @Sendable (any Error) -> String = { "\($0)" }

    /// What this program's own kinds call secret, whether a worker has said it already or not.
    package var secretFields: [JobKind: SecretFields] = [:]

    /// A job of a kind, its payload as JSON: as its type says, where this program knows it.
    package typealias MakeJob =
        @Sendable (
            _ kind: JobKind, _ payload: String, KeyMode?, EnqueueOptions, JobID?
        ) throws -> NewJob

    package var makeJob: MakeJob = {
        try JobKinds().job(kind: $0, payload: $1, $2, options: $3, id: $4)
    }

    /// What a kind's own type refuses of a payload.
    package var checkPayload: @Sendable (JobKind, _ payload: String) throws -> Void = { _, _ in }

    public init() {}
}

extension ConsoleSettings {
    /// What is said of an error that is nobody's here.
    var tell: @Sendable (any Error) -> String {
        let (redact, explain) = (redact, explain)
        return { error in
            if let error = error as? NotThere { return error.description }
            if let error = error as? BadRequest { return error.description }
            return "The database can't be asked, or has refused: "
                + redact(String(PlainText.line(explain(error)).prefix(500)))
        }
    }
}
