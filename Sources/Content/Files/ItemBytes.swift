import Tenure
import TenureFoundation

/// A file's bytes in order; see `Items.bytes(of:)`.
public struct ItemBytes: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    let pool: PostgresPool
    let file: ItemFile

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pool: pool, file: file) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        private let pool: PostgresPool
        private let file: ItemFile
        private var download: Int64?
        private var hash = SHA256()
        private var isOver = false

        fileprivate init(pool: PostgresPool, file: ItemFile) {
            self.pool = pool
            self.file = file
        }

        /// - Throws: `ContentError`, or `PostgresError`.
        public mutating func next() async throws -> [UInt8]? {
            if isOver { return nil }
            guard hash.count < UInt64(clamping: file.bytes) else {
                isOver = true
                try verify()
                return nil
            }
            guard let bytes = try await read(), !bytes.isEmpty else {
                isOver = true
                throw ContentError(
                    .replacedFile,
                    "\(file.url): a newer content has taken its place while it was read; read "
                        + "it again")
            }
            hash.update(bytes)
            return bytes
        }

        private mutating func read() async throws -> [UInt8]? {
            if download == nil {
                if hash.count == 0,
                    let body = try await pool.execute(ReadBody(hash: file.digest)).first
                {
                    return body
                }
                download = try await pool.execute(FindLargeBody(hash: file.digest)).first
            }
            guard let download else { return nil }
            let chunk = ReadChunk(download: download, start: Int64(clamping: hash.count))
            return try await pool.execute(chunk).first
        }

        private func verify() throws {
            guard hash.digest == file.digest else {
                throw ContentError(
                    .damagedFile,
                    "\(file.url): the bytes that are kept have the hash \(hash.digest.hex), not "
                        + "\(file.hash); fetch it again with --force")
            }
        }
    }
}

/// A body that is kept whole.
struct ReadBody: PostgresStatement {
    static let sql = "SELECT b.bytes FROM content.body b WHERE b.hash = $1"
    let hash: [UInt8]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(hash) }

    static func decode(_ row: borrowing PostgresRow) throws -> [UInt8] { try row.decode(0) }
}

/// Which pieces a large body is made of.
struct FindLargeBody: PostgresStatement {
    static let sql = "SELECT l.download FROM content.large_body l WHERE l.hash = $1"
    let hash: [UInt8]

    func bind(_ parameters: inout PostgresParameters) throws { try parameters.append(hash) }

    static func decode(_ row: borrowing PostgresRow) throws -> Int64 { try row.decode(0) }
}

struct ReadChunk: PostgresStatement {
    static let sql = "SELECT c.bytes FROM content.chunk c WHERE c.download = $1 AND c.start = $2"
    let download: Int64
    let start: Int64

    func bind(_ parameters: inout PostgresParameters) throws {
        try parameters.append(download)
        try parameters.append(start)
    }

    static func decode(_ row: borrowing PostgresRow) throws -> [UInt8] { try row.decode(0) }
}
