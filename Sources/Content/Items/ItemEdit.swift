import Tenure
public import TenureFoundation

/// What a person changes of an item.
public struct ItemEdit: Sendable {
    /// What is set stays as it is, whatever fetches bring.
    public var values: [FieldName: String]
    /// Fields that the next fetch is to fill again.
    public var cleared: Set<FieldName>
    /// Who edits, for those who look later.
    public var by: String
    /// The version that this is an edit of, 0 for none: one of another is refused. Nil: of any.
    public var ofVersion: Int?

    public init(
        _ values: [FieldName: String] = [:], clearing cleared: Set<FieldName> = [], by: String
    ) {
        self.values = values
        self.cleared = cleared
        self.by = by
    }

    /// A title is a line, a text is a document.
    private static let longestLine = 4 << 10
    private static let longestText = 4 << 20

    /// - Throws: `ContentError` with `.badOption` that names the field.
    func validated() throws -> ItemEdit {
        func refused(_ text: String) -> ContentError { ContentError(.badOption, text) }
        guard !(values.isEmpty && cleared.isEmpty) else {
            throw refused("nothing to edit: give a field and its value, such as title=…")
        }
        guard !by.isEmpty else { throw refused("nobody edits: say who") }
        for (name, value) in values {
            guard !cleared.contains(name) else {
                throw refused("\(name.rawValue) is both set and cleared; do one of them")
            }
            guard value.contains(where: { !$0.isWhitespace }) else {
                throw refused(
                    "\(name.rawValue) is empty; to let the next fetch fill it, clear it instead")
            }
            guard !value.utf8.contains(0) else {
                throw refused("\(name.rawValue) has a NUL in it, which can't be stored")
            }
            let most = name == .text ? Self.longestText : Self.longestLine
            guard value.utf8.count <= most else {
                throw refused(
                    "\(name.rawValue) has \(value.utf8.count) bytes; give at most \(most)")
            }
            if name == .published || name == .modified, !DateTimeText.isValid(value) {
                throw refused(
                    "\(name.rawValue) is \"\(value.prefix(40))\"; give a time such as "
                        + "2026-11-21T10:46:36Z")
            }
            if name == .image {
                _ = try CheckableURL.parse(value)
            }
        }
        return self
    }
}

extension Items {
    /// Edits an item's fields as a person, and makes a version of it.
    /// - Returns: the item as it is then; nil when there is none.
    /// - Throws: `ContentError` with `.badOption` for what can't be set.
    public func edit(_ item: ItemName, _ edit: ItemEdit) async throws -> Item? {
        let edit = try edit.validated()
        guard let found = try await self.item(item) else { return nil }
        let isThere = try await pool.transaction(isolation: .readCommitted) { transaction in
            let ids = [found.id]
            let (_, _, items) = try await transaction.pipeline(
                PlanByKeys(), LockItems(ids: ids), ReadLockedItems(ids: ids))
            guard let locked = items.first else { return false }
            if let version = edit.ofVersion, version != locked.version {
                throw ContentError(
                    .badOption,
                    "it has version \(locked.version) by now, and this was filled in for "
                        + "\(version); look at it again")
            }
            try await write(edit, locked, in: transaction)
            return true
        }
        return isThere ? try await self.item(item) : nil
    }

    /// Says that a candidate isn't wanted: the same document isn't asked about again. To take one
    /// in, fetch it again with ``ContentFetch/Merge/replace``.
    /// - Parameter fetch: which one was looked at, if there may be another by now.
    /// - Returns: the item as it is then; nil when there is none.
    /// - Throws: `ContentError` with `.badOption` when there is no candidate, another, or a refused
    ///   one; `TenureError` with `.invalidJob` for a name that is none.
    public func refuseCandidate(
        of item: ItemName, fetch: UUID? = nil, by whom: String
    ) async throws -> Item? {
        guard let found = try await self.item(item) else { return nil }
        let candidate = try found.candidate(fetch)
        if let other = candidate.refusedBy {
            throw ContentError(.badOption, "\(other) has refused its candidate already")
        }
        let isDone = try await pool.transaction(isolation: .readCommitted) { transaction in
            let (_, _, refused) = try await transaction.pipeline(
                PlanByKeys(), LockItems(ids: [found.id]),
                RefuseCandidate(item: found.id, fetch: candidate.fetch, whom: whom))
            if refused.isEmpty { return false }
            let about = ["name": PayloadValue.text(found.id.uuidString.lowercased())]
            _ = try await transaction.execute(
                Doer(whom, from: source).action("refuse", "candidate", about))
            return true
        }
        guard isDone else { throw ContentError(.badOption, Item.otherCandidate) }
        return try await self.item(item)
    }

    private func write(
        _ edit: ItemEdit, _ item: LockedItem, in transaction: PostgresTransaction
    ) async throws {
        let now = try await transaction.execute(ReadClock()).first ?? Date()
        let fields = edit.values.mapValues { FetchedField(value: $0, source: .person) }
        let rows = WriteFields.Entry.all(fields, of: item.id, askedAt: now, setBy: edit.by)
        let names = Set(edit.values.keys).union(edit.cleared)
        let version = AddVersions.Entry(
            item: item.id, number: item.version + 1, madeBy: edit.by,
            changed: names.map(\.rawValue).sorted())
        _ = try await transaction.pipeline(
            WriteFields(rows: rows[...]),
            ForgetFields(item: item.id, names: Array(edit.cleared)), AddVersions(rows: [version]),
            NoteVersion(item: item.id, version: item.version + 1))
        let about: [String: PayloadValue] = [
            "name": .text(item.id.uuidString.lowercased()),
            "fields": .array(version.changed.map { .text($0) }),
        ]
        _ = try await transaction.execute(
            Doer(edit.by, from: source).action("edit", "item", about))
    }
}

extension Item {
    fileprivate static let otherCandidate =
        "its candidate is of another fetch by now; look at it again"

    /// - Parameter fetch: which one somebody has seen; nil: whichever it is.
    /// - Throws: `ContentError` with `.badOption` where there is none, or another.
    package func candidate(_ fetch: UUID?) throws -> Candidate {
        guard let candidate else {
            throw ContentError(.badOption, "nothing that looked wrong lies beside it (any more)")
        }
        guard fetch == nil || fetch == candidate.fetch else {
            throw ContentError(.badOption, Self.otherCandidate)
        }
        return candidate
    }
}

/// The database's clock.
struct ReadClock: PostgresStatement {
    static let sql = "SELECT clock_timestamp()"

    static func decode(_ row: borrowing PostgresRow) throws -> Date { try row.decode(0) }
}

/// Writes which version of an item is the newest. Its row is locked.
struct NoteVersion: PostgresStatement {
    static let sql = "UPDATE content.item i SET version = $2 WHERE i.id = $1"
    let item: UUID
    let version: Int

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(item)
        try parameters.append(clamping: version)
    }
}
