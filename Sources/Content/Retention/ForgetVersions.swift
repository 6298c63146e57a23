import Tenure
import TenureFoundation

/// Forgets a bite of the versions that were replaced too long ago, or are too many; returns how far
/// it has come, and nil at the end.
struct ForgetVersions: PostgresStatement {
    static let sql = "SELECT f.last FROM content.forget_versions($1, $2, $3, $4, $5) f"
    let kept: Duration
    let versions: Int
    var after: UUID
    let until: UUID

    init(kept: ContentRetention, share: SweepShare) {
        self.kept = kept.versions
        versions = kept.versionsPerItem
        (after, until) = share.ids
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(kept)
        try parameters.append(clamping: versions)
        try parameters.append(after)
        try parameters.append(until)
        try parameters.append(Int32(ForgetOld.most))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> UUID? { try row.decode(0) }
}

/// Forgets a bite of the bodies that nothing refers to; returns how far it has come, and nil at the
/// end.
struct ForgetBodies: PostgresStatement {
    static let sql = "SELECT f.last FROM content.forget_bodies($1, $2, $3) f"
    var after: [UInt8]
    let until: [UInt8]

    init(share: SweepShare) { (after, until) = share.hashes }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(after)
        try parameters.append(until)
        try parameters.append(Int32(ForgetOld.most))
    }

    static func decode(_ row: borrowing PostgresRow) throws -> [UInt8]? { try row.decode(0) }
}
