import Tenure
import TenureFoundation

/// Forgets which documents were last seen at URLs that give something else now, a redirect or no
/// document: nobody knows what refers to what from there, and the next visit asks for all of it.
/// What is kept of the items stays. Their rows are locked.
struct ForgetDocuments: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET seen_at = NULL, changed_at = now(), fresh_until = NULL, hash = NULL, etag = NULL,
            last_modified = NULL, reference_count = 0, anchor_count = 0, is_complete = false
        WHERE i.id = ANY ($1)
        """
    let items: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(items) }
}
