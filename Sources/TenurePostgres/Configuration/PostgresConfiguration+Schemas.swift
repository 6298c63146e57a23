extension PostgresConfiguration {
    /// SQL with its qualifiers mapped, as the statements of this configuration are sent. For SQL
    /// that goes out by another way, such as another driver's transaction.
    /// - Throws: `PostgresError` with `.invalidConfiguration` for a name that can't be mapped.
    public func qualified(_ sql: String) throws -> String {
        try SchemaMap(schemas).apply(to: sql)
    }

    /// The quoted name of the schema behind a qualifier.
    public func quotedSchema(_ qualifier: String) -> String {
        SQLName.quoted(schemas[qualifier] ?? qualifier)
    }
}
