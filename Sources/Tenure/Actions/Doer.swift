package import TenureFoundation
package import TenurePostgres

/// Who acts, from where, and why: what is written down of each act, in its own transaction.
package struct Doer: Sendable {
    /// Nil: as the database's login is called.
    package let whom: String?
    let source: ActionSource
    var reason: String?

    package init(_ whom: String?, from source: ActionSource, because reason: String? = nil) {
        (self.whom, self.source, self.reason) = (whom, source, reason)
    }

    /// What SQL functions write down by themselves.
    /// - Parameters:
    ///   - act: an act that goes in bites has one id for all of them.
    ///   - filter: what a bulk is for.
    package func note(
        act: UUID = UUID(), reason: String? = nil, filter: PayloadValue? = nil
    ) -> ActionNote {
        ActionNote(act: act, source: source, reason: reason ?? self.reason, filter: filter)
    }

    /// An act for which there is no SQL function.
    /// - Parameters:
    ///   - thing: what kind of thing it is about: queue, site.
    ///   - about: its name, and what was set; no secrets.
    package func action(
        _ verb: String, _ thing: String, _ about: [String: PayloadValue], jobs: Int? = nil,
        because reason: String? = nil
    ) -> NoteAction {
        NoteAction(
            verb: verb, thing: thing, about: about, jobs: jobs, whom: whom,
            note: note(reason: reason))
    }
}

/// What is said of an act beside the act itself; see `tenure.note_action`.
package struct ActionNote: Encodable, Sendable {
    let act: UUID
    let source: ActionSource
    let reason: String?
    let filter: PayloadValue?
}

extension PostgresParameters {
    package mutating func append(note: ActionNote?) throws {
        try append(note.map { PostgresJSON(try JSONText.line($0)) })
    }
}
