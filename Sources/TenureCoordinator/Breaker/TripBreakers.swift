import Tenure
import TenurePostgres

/// Pauses the kinds that have died often enough; returns those, with the reason.
struct TripBreakers: PostgresStatement {
    static let sql = "SELECT t.kind, t.reason FROM tenure.trip_breakers($1, $2) AS t"
    let breaker: KindBreaker

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(Int32(breaker.deaths))
        try parameters.append(breaker.window)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> (kind: JobKind, reason: String) {
        (JobKind(try row.decode(0, as: String.self)), try row.decode(1))
    }
}
