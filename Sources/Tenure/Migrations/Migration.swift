/// The schema's history, as the binary carries it.
enum Migrations {
    static var count: Int { EmbeddedMigrations.files.count }
}
