public import Tenure

/// The search of items by words of their titles and texts, which is PostgreSQL's own full-text
/// search: of an index that nobody has who hasn't asked for it. docs/decisions/item-words.md
public struct ItemWords: Sendable {
    let pool: PostgresPool

    public init(pool: PostgresPool) { self.pool = pool }

    public struct Status: Sendable, Hashable, Codable {
        /// Whether items can be searched by words.
        public let isOn: Bool
        /// Whether somebody is making the index.
        public let isMade: Bool
        /// Whether an index is there that can't be used: it is being made, or was broken off.
        public let isUnfinished: Bool
        /// Of the index.
        public let bytes: Int64
    }

    public func status() async throws -> Status {
        try await pool.execute(ReadWordsIndex(words: "")).first?.status
            ?? Status(isOn: false, isMade: false, isUnfinished: false, bytes: 0)
    }

    /// Makes the index, while others read and write. It reads every text that is kept, once, which
    /// takes minutes for a hundred thousand of them. What a run that was broken off has left is
    /// made anew. Only the owner of the tables may.
    /// - Throws: `ContentError` with `.busy` while somebody else makes it; `PostgresError`, also
    ///   when it takes longer than `limit`: then the search is off.
    public func turnOn(within limit: Duration = .seconds(24 * 3600)) async throws {
        let status = try await status()
        if status.isOn { return }
        if status.isUnfinished { try await turnOff(within: limit) }
        try await pool.simple(
            """
            CREATE INDEX CONCURRENTLY IF NOT EXISTS item_field_words_1 ON content.item_field
            USING gin (\(Self.vector("value"))) WHERE name IN ('title', 'text')
            """, deadline: limit)
    }

    /// Drops the index, while others read and write.
    /// - Throws: `ContentError` with `.busy` while somebody makes it.
    public func turnOff(within limit: Duration = .seconds(3600)) async throws {
        // To drop it then would end in a deadlock, and with hours of work.
        guard try await !status().isMade else {
            throw ContentError(
                .busy, "the index of words is just being made; see: tenure item words status")
        }
        try await pool.simple(
            "DROP INDEX CONCURRENTLY IF EXISTS content.item_field_words_1", deadline: limit)
    }

    /// What is asked is as deep for the server as it has words.
    private static let longestSearch = 1000

    /// - Throws: `ContentError` with `.badOption` where these words can't be looked for.
    func require(for words: String) async throws {
        guard words.utf8.count <= Self.longestSearch else {
            throw ContentError(
                .badOption,
                "the words to look for have \(words.utf8.count) bytes; give at most "
                    + "\(Self.longestSearch)")
        }
        guard !words.utf8.contains(0) else {
            throw ContentError(.badOption, "the words to look for have a NUL in them; leave it out")
        }
        guard let index = try await pool.execute(ReadWordsIndex(words: words)).first else { return }
        guard index.status.isOn else {
            throw ContentError(
                .badOption,
                "the search by words is off; its index is made with: tenure item words on")
        }
        guard index.hasWords else {
            throw ContentError(
                .badOption,
                "\"\(words.prefix(80))\" has no word to look for; give one, of letters or digits")
        }
    }

    /// The words of a value, in no particular language. A vector has a mebibyte at most, and a
    /// longer one is an error of whoever writes the field: of a text that long its beginning
    /// counts, which is short enough whatever its characters are. Another expression has to be the
    /// index of another name: one that is there already would serve no search.
    static func vector(_ value: String) -> String {
        "to_tsvector('pg_catalog.simple'::regconfig, left(\(value), 100000))"
    }
}

/// Whether there is an index of words, and what it is asked.
struct ReadWordsIndex: PostgresStatement {
    static let sql = """
        SELECT coalesce(x.indisvalid, false),
               EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = c.oid),
               coalesce(NOT x.indisvalid, false), coalesce(pg_relation_size(c.oid), 0),
               numnode(websearch_to_tsquery('pg_catalog.simple'::regconfig, $1)) > 0
        FROM (SELECT to_regclass('content.item_field_words_1') AS oid) AS c
        LEFT JOIN pg_index x ON x.indexrelid = c.oid
        """
    let words: String

    struct Row: Sendable {
        let status: ItemWords.Status
        /// Whether there is a word in them.
        let hasWords: Bool
    }

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(words) }

    static func decode(_ row: borrowing PostgresRow) throws -> Row {
        Row(
            status: ItemWords.Status(
                isOn: try row.decode(0), isMade: try row.decode(1),
                isUnfinished: try row.decode(2), bytes: try row.decode(3)),
            hasWords: try row.decode(4))
    }
}

/// Items whose title, or whose text, has words, those first that somebody last tried to fetch.
///
/// Which they are is found first, by the index of words: a plan that went through the items would
/// take the words of every text anew.
struct FindItems: PostgresStatement {
    static let sql = """
        WITH found AS MATERIALIZED (
            SELECT DISTINCT w.item FROM content.item_field w
            WHERE w.name IN ('title', 'text')
              AND \(ItemWords.vector("w.value"))
                  @@ websearch_to_tsquery('pg_catalog.simple'::regconfig, $7))
        \(ItemColumns.sql)
        JOIN found ON found.item = i.id
        WHERE \(ListItems.condition)
        """
    let filter: ItemFilter
    let words: String

    func bind(_ parameters: inout PostgresParameters) throws {
        try ListItems(filter: filter).bind(&parameters)
        try parameters.append(words)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Item {
        try ItemColumns.decode(row)
    }
}
