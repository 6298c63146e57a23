import Tenure
import TenurePostgres

/// Notes which runs have begun, without waiting for anybody; answers whether the session lives.
struct NoteBegun: PostgresStatement {
    static let sql = "SELECT tenure.note_begun($1, $2, $3, $4, $5, $6)"
    let note: BegunNote

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(note.session.rawValue)
        try parameters.append(note.queue.rawValue)
        try parameters.append(note.number)
        try parameters.append(note.since)
        try parameters.append(note.fences.map(\.lowerBound))
        try parameters.append(note.fences.map(\.upperBound))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Bool {
        try row.decode(0, as: Bool.self)
    }
}
