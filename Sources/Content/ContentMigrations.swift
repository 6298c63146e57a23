public import Tenure

extension MigrationSet {
    /// The schema `content`, as this binary carries it: what the product's own jobs keep.
    public static var content: MigrationSet {
        MigrationSet(
            schema: "content",
            migrations: EmbeddedMigrations.files.map { Migration(name: $0.name, sql: $0.sql) },
            functions: EmbeddedMigrations.functions.map { FunctionFile(name: $0.name, sql: $0.sql) }
        )
    }
}
