public import Logging
import TenurePostgres

public final class PostgresConnection: Sendable {
    private let own: TenurePostgres.PostgresConnection

    init(own: TenurePostgres.PostgresConnection) { self.own = own }

    @discardableResult
    public func query(
        _ query: PostgresQuery, logger: Logger
    ) async throws -> PostgresRowSequence {
        PostgresRowSequence(
            rows: try await own.query(query.sql, query.binds.values) { row in
                PostgresRow(
                    cells: try (0..<row.columnCount).map {
                        PostgresCell(text: try row.decode($0, as: String?.self))
                    })
            })
    }
}

public struct PostgresRowSequence: AsyncSequence, Sendable {
    public struct AsyncIterator: AsyncIteratorProtocol {
        var rows: IndexingIterator<[PostgresRow]>

        public mutating func next() async throws -> PostgresRow? { rows.next() }
    }

    let rows: [PostgresRow]

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rows: rows.makeIterator()) }
}

public struct PostgresRow: Sequence, Sendable {
    let cells: [PostgresCell]

    public func makeIterator() -> IndexingIterator<[PostgresCell]> { cells.makeIterator() }
}

public struct PostgresCell: Sendable {
    let text: String?

    public func decode(_ type: String?.Type) throws -> String? { text }
}
