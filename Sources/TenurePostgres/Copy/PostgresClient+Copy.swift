extension PostgresClient {
    /// Writes rows with binary COPY: the fastest way in. All or none are written.
    ///
    /// The rows are encoded before the first is sent, so they are in memory twice: for more than
    /// some ten megabytes copy in parts, inside a transaction.
    ///
    /// - Parameters:
    ///   - table: as it would stand in SQL, `tenure.job`; it is not quoted.
    ///   - columns: their names; they are quoted.
    ///   - encode: appends one value for each column. Types aren't converted: an `Int` fits bigint
    ///     and nothing else.
    /// - Returns: how many rows were written.
    @discardableResult
    public func copyIn<Rows: Sequence>(
        _ table: String, columns: [String], rows: Rows, deadline: Duration? = nil,
        encode: (Rows.Element, inout PostgresParameters) throws -> Void
    ) async throws -> Int {
        let names = columns.map { SQLName.quoted($0) }.joined(separator: ", ")
        var file = CopyFile()
        for row in rows {
            var values = PostgresParameters()
            try encode(row, &values)
            guard values.count == columns.count else {
                throw PostgresError(
                    .encodingFailed,
                    "a row of COPY has \(values.count) values for \(columns.count) columns")
            }
            file.append(values)
        }
        let sql = "COPY \(table) (\(names)) FROM STDIN (FORMAT binary)"
        let work = PostgresRequest.Work.copy(sql: sql, data: file.finished())
        return try await perform(PostgresRequest(work), deadline: deadline).affected()
    }
}
