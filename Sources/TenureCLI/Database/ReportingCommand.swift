import Tenure

/// A command that asks the database, or changes something there, and reports.
protocol ReportingCommand: TenureCommand {
    associatedtype Found: Report
    var json: Bool { get }
    var common: CommonFlags { get }
    /// Those that have to be there: the queue's, or the product's too.
    static var schemas: [MigrationSet] { get }
    /// What is wrong with the flags is told before a database is asked.
    func checkInput() throws
    func report(_ database: Database) async throws -> Found
}

extension ReportingCommand {
    static var schemas: [MigrationSet] { [.tenure] }

    func checkInput() throws {}

    func execute() async throws {
        try checkInput()
        let settings = try await common.settings()
        try Terminal.report(
            try await Database.current(settings, Self.schemas) { try await report($0) },
            json: json)
    }
}
