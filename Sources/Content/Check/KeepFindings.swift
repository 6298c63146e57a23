import Tenure
import TenureFoundation

/// Keeps what a check found, as its end sees it.
struct KeepFindings: PostgresStatement {
    static let sql = """
        INSERT INTO content.check_finding (check_id, ordinal, place_count, finding)
        SELECT $1, $2 + f.ordinal, f.place_count, f.finding
        FROM unnest($3::int4[], $4::jsonb[]) WITH ORDINALITY AS f (place_count, finding, ordinal)
        ON CONFLICT DO NOTHING
        """
    let check: UUID
    /// How many are kept already.
    let before: Int
    let findings: [Finding]

    /// Of a finding: who compares checks wants to know where to begin.
    static let mostPlaces = 20
    /// In one statement.
    static let mostFindings = 1000

    func bind(_ parameters: inout PostgresParameters) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        try parameters.append(check)
        try parameters.append(clamping: before)
        try parameters.append(findings.map { Int32(clamping: $0.placeCount ?? $0.places.count) })
        try parameters.append(
            findings.map { finding in
                var finding = finding
                finding.places = Array(finding.places.prefix(Self.mostPlaces))
                return PostgresJSON(bytes: Array(try encoder.encode(finding)))
            })
    }

    /// All of a check's, in statements of a bearable size.
    static func all(_ findings: [Finding], of check: UUID) -> [KeepFindings] {
        stride(from: 0, to: findings.count, by: mostFindings).map { start in
            let part = findings[start..<min(start + mostFindings, findings.count)]
            return KeepFindings(check: check, before: start, findings: Array(part))
        }
    }
}

/// What is kept of a check's findings.
struct ListFindings: PostgresStatement {
    static let sql = """
        SELECT f.place_count, f.finding FROM content.check_finding f WHERE f.check_id = $1
        ORDER BY f.ordinal
        """
    let check: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(check) }

    static func decode(_ row: borrowing PostgresRow) throws -> Finding {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let json = try row.decode(1, as: PostgresJSON.self)
        var finding = try decoder.decode(Finding.self, from: Data(json.bytes))
        let count = try row.count(0)
        if count > finding.places.count { finding.placeCount = count }
        return finding
    }
}
