import Tenure
import TenureFoundation
import Web

/// Writes what a check's visits came to. Goes behind `PlanByKeys`: the rows are found by their keys
/// where statistics don't know the check yet, too.
struct RecordVisits: PostgresStatement {
    static let sql = """
        UPDATE content.check_target k
        SET state = v.state, code = v.code, status = v.status, detail = v.detail, next = v.next,
            is_page = v.is_page, checked_at = content.now()
        FROM unnest(
            $2::uuid[], $3::text[], $4::text[], $5::int4[], $6::text[], $7::uuid[], $8::bool[])
            AS v (target, state, code, status, detail, next, is_page)
        WHERE k.check_id = $1 AND k.target = v.target AND k.target = ANY ($2)
        """
    let check: UUID
    let visits: [Entry]

    struct Entry: Sendable {
        let url: WebURL
        let visit: Visit
        let state: TargetState
        let isPage: Bool
    }

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(check)
        try parameters.append(visits.map { Digest.id(of: $0.url.href) })
        try parameters.append(visits.map(\.state.rawValue))
        try parameters.append(visits.map(\.visit.code))
        try parameters.append(visits.map { $0.visit.status.map { Int32(clamping: $0) } })
        try parameters.append(visits.map { $0.visit.detail.map(\.storable) })
        try parameters.append(visits.map { $0.visit.next.map { Digest.id(of: $0.href) } })
        try parameters.append(visits.map(\.isPage))
    }
}
