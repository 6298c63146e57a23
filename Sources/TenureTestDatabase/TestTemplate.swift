public import TenurePostgres

/// What a test's database begins with: Tenure's tables, and yours. It is prepared once for a test
/// process, by the first test that asks, and copied for each.
///
/// Make one for all tests (`static let`): each that you make is prepared anew.
public final class TestTemplate: Sendable {
    /// Tenure's tables, and nothing else.
    public static let tenure = TestTemplate { _ in }

    let prepare: @Sendable (PostgresPool) async throws -> Void

    /// - Parameter prepare: gets a database with Tenure's tables, and makes your own in it. When it
    ///   throws, every test that asks for the template gets the error. The pool is closed for it.
    public init(_ prepare: @escaping @Sendable (PostgresPool) async throws -> Void) {
        self.prepare = prepare
    }
}
