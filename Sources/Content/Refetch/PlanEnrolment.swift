import Tenure

/// For ``EnrolItems`` in the same pipeline: a bite is read from the index as it comes. Where
/// statistics have not heard of a host yet, all of its items would be read and sorted for each.
struct PlanEnrolment: PostgresStatement {
    static let sql = "SELECT set_config('enable_bitmapscan', 'off', true)"

    func bind(_ parameters: inout PostgresParameters) throws {}

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}
