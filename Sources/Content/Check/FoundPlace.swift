import FoundationEssentials
import Tenure

/// A row of a report: a target that something is wrong with, and one place that refers to it.
struct FoundPlace: Sendable {
    let target: String
    let code: String
    let status: Int?
    let detail: String?
    let fragment: String?
    let state: TargetState
    let page: String?
    let line: Int
    let column: Int
    let kind: String
    let strength: String
    let raw: String
    let words: String?
    let firstBrokenAt: Date?
    let lastOkAt: Date?

    /// The columns in the order above.
    init(_ row: borrowing PostgresRow) throws {
        target = try row.decode(0)
        code = try row.decode(1)
        status = try row.number(2)
        detail = try row.decode(3)
        fragment = try row.decode(4)
        state = try row.decode(5, known: TargetState.self)
        page = try row.decode(6)
        line = Int(try row.decode(7, as: Int32?.self) ?? 0)
        column = Int(try row.decode(8, as: Int32?.self) ?? 0)
        kind = try row.decode(9, as: String?.self) ?? ""
        strength = try row.decode(10, as: String?.self) ?? ""
        raw = try row.decode(11, as: String?.self) ?? ""
        words = try row.decode(12)
        firstBrokenAt = try row.decode(13)
        lastOkAt = try row.decode(14)
    }
}
