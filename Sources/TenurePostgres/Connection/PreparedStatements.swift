/// What one connection knows of the statements that ran on it.
struct PreparedStatements {
    struct Entry {
        /// The server's name for it.
        let name: String
        /// With the schemas put in.
        let sql: String
        let types: [UInt32]
        var isPrepared = false
    }

    enum Form {
        case prepared(Entry)
        case mustPrepare(Entry)
        case unnamed(sql: String)
    }

    private let schemas: SchemaMap
    private let isNaming: Bool
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var lastNumber = 0

    init(schemas: SchemaMap, isNaming: Bool) {
        self.schemas = schemas
        self.isNaming = isNaming
    }

    func map(_ sql: String) -> String { schemas.apply(to: sql) }

    /// How a call is to be sent. One whose parameters have other types than the first time goes
    /// unnamed: the prepared one doesn't fit it; one that is planned for its values always does.
    mutating func form(of call: StatementCall) -> Form {
        guard case .named(let statement) = call.text else {
            if case .adHoc(let sql) = call.text { return .unnamed(sql: map(sql)) }
            return .unnamed(sql: "")
        }
        let entry = entry(for: statement, call)
        guard isNaming, !statement.isPlannedForItsValues,
            entry.types == call.parameters.types
        else {
            return .unnamed(sql: entry.sql)
        }
        return entry.isPrepared ? .prepared(entry) : .mustPrepare(entry)
    }

    mutating func didPrepare(_ call: StatementCall) {
        guard case .named(let statement) = call.text else { return }
        entries[ObjectIdentifier(statement)]?.isPrepared = true
    }

    /// The next run prepares it anew, under another name.
    mutating func forget(_ call: StatementCall) {
        guard case .named(let statement) = call.text else { return }
        entries[ObjectIdentifier(statement)] = nil
    }

    private mutating func entry(
        for statement: any PostgresStatement.Type, _ call: StatementCall
    ) -> Entry {
        let key = ObjectIdentifier(statement)
        if let known = entries[key] { return known }
        lastNumber += 1
        let entry = Entry(
            name: "tenure\(lastNumber)", sql: map(statement.sql), types: call.parameters.types)
        entries[key] = entry
        return entry
    }
}
