import Tenure

func upload(
    picture: Int, file: String, _ client: TenureClient, _ pool: PostgresPool
) async throws {
    try await pool.transaction { transaction in
        try await transaction.query(
            """
            INSERT INTO picture (id, file) VALUES ($1, $2)
            ON CONFLICT (id) DO UPDATE SET file = excluded.file
            """, [picture, file])
        try client.enqueue(
            MakeThumbnail(picture: picture), .superseding("picture-\(picture)"), in: transaction)
    }
}
