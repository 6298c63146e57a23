public import Tenure

extension Migration {
    /// The schema `content`, as this binary carries it: what the product's own jobs keep.
    public static var content: [Migration] {
        EmbeddedMigrations.files.map { Migration(name: $0.name, sql: $0.sql) }
    }
}
