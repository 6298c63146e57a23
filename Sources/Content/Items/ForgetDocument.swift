import FoundationEssentials
import Tenure

/// Forgets which document was last seen at a URL that gives something else now, a redirect or no
/// document: nobody knows what refers to what from there, and the next visit asks for all of it.
/// What is kept of the item stays. Its row is locked.
struct ForgetDocument: PostgresStatement {
    static let sql = """
        UPDATE content.item i
        SET seen_at = NULL, changed_at = now(), fresh_until = NULL, hash = NULL, etag = NULL,
            last_modified = NULL, reference_count = 0, anchor_count = 0, is_complete = false
        WHERE i.id = $1
        """
    let item: UUID

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(item) }
}
