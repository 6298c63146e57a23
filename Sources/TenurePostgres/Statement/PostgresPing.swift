/// Asks the server for nothing: whether it is there, and answers.
package struct PostgresPing: PostgresStatement {
    package static let sql = "SELECT 1"

    package init() {}
}
