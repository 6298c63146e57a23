import Tenure
import TenureFoundation

/// The URLs of those items that are there.
struct ListItemURLs: PostgresStatement {
    static let sql = "SELECT i.id, i.url FROM content.item i WHERE i.id = ANY ($1::uuid[])"
    let ids: [UUID]

    struct Row: Sendable {
        let id: UUID
        let url: String
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(id: try row.decode(0), url: try row.decode(1))
    }
}

/// For the rest of the transaction: less than the time after which a server looks for deadlocks, so
/// that it never is another's commit that is broken off.
struct WaitBriefly: PostgresStatement {
    static let sql = "SELECT set_config('lock_timeout', '500ms', true)"

    static func decode(_ row: borrowing PostgresRow) throws -> String { try row.decode(0) }
}

/// Locks items for their end, in the order of their ids.
struct LockItemsToDelete: PostgresStatement {
    static let sql = """
        SELECT i.id, i.url FROM (SELECT u.id FROM unnest($1::uuid[]) AS u (id) ORDER BY 1) AS u
        CROSS JOIN LATERAL (
            SELECT i.id, i.url FROM content.item i WHERE i.id = u.id FOR UPDATE) AS i
        """
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }

    static func decode(_ row: borrowing PostgresRow) throws -> ListItemURLs.Row {
        try ListItemURLs.decode(row)
    }
}

/// Locks targets against new edges and redirects, in the order of their ids: waits for whoever is
/// writing one.
struct LockTargetsToDelete: PostgresStatement {
    static let sql = """
        SELECT t.id FROM (SELECT u.id FROM unnest($1::uuid[]) AS u (id) ORDER BY 1) AS u
        CROSS JOIN LATERAL (
            SELECT t.id FROM content.target t WHERE t.id = u.id FOR UPDATE) AS t
        """
    let ids: [UUID]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(ids) }
}
