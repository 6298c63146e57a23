import Tenure
import TenureFoundation

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
    let raw: String
    let words: String?
    let firstBrokenAt: Date?
    let lastOkAt: Date?
    /// Whether a page breaks with it, here or at another place of the finding.
    let isHard: Bool
    /// Of the whole finding, however many of them were read.
    let placeCount: Int
    /// Of what the statement looks for, however many of them were read.
    let findingCount: Int

    /// Something that is wrong with a target, and with no place that refers to it.
    init(target: String, code: String, detail: String) {
        (self.target, self.code, self.detail) = (target, code, detail)
        (status, fragment, state, page, line, column) = (nil, nil, .broken, nil, 0, 0)
        (kind, raw, words, firstBrokenAt, lastOkAt) = ("", "", nil, nil, nil)
        (isHard, placeCount, findingCount) = (false, 0, 1)
    }

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
        isHard = try row.decode(10, as: Bool?.self) ?? false
        raw = try row.decode(11, as: String?.self) ?? ""
        words = try row.decode(12)
        firstBrokenAt = try row.decode(13)
        lastOkAt = try row.decode(14)
        placeCount = try row.total(15)
        findingCount = try row.total(16)
    }
}
