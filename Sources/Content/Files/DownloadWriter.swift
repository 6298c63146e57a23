import Tenure
import TenureWorker

/// Commits what arrives, piece by piece, each behind the fence of its run, and tells operators how
/// far it is.
struct DownloadWriter {
    /// Large enough that a commit costs little beside it, small enough to hold two of in memory.
    static let size = 4 << 20
    private static let reportInterval: Duration = .milliseconds(200)

    private(set) var download: Download
    private let context: JobContext
    private var pending: [UInt8] = []
    private var rate: TransferRate
    private var reportedAt: ContinuousClock.Instant?

    init(_ download: Download, context: JobContext) {
        self.download = download
        self.context = context
        rate = TransferRate(now: .now, bytes: download.received)
    }

    /// Where the bytes end that have arrived, committed or not.
    // Bounded: what has come of a file was sent, and written, byte by byte.
    var arrived: Int64 { download.received + Int64(pending.count) }

    /// - Throws: `FileMismatch` when there are more bytes than there should be; what a checkpoint
    ///   throws.
    mutating func take(_ bytes: [UInt8], until stop: Int64?) async throws {
        if let stop, arrived + Int64(bytes.count) > stop {
            throw FileMismatch("more bytes than the \(stop) that there are")
        }
        if pending.isEmpty { pending.reserveCapacity(Self.size + bytes.count) }
        pending += bytes
        if pending.count >= Self.size { try await commit() }
        report()
    }

    /// Commits what is left, so that it needn't come again.
    mutating func flush() async throws {
        if !pending.isEmpty { try await commit() }
    }

    /// Says how far it is, whatever was said a moment ago.
    func conclude(_ note: String?) {
        context.progress(done: download.received, total: download.total, note: note)
    }

    private mutating func commit() async throws {
        var hash = download.hash
        hash.update(pending)
        let append = AppendChunk(download: download, bytes: pending, hash: hash)
        try await context.checkpoint { transaction in
            guard try await transaction.execute(append).first == append.stop else {
                throw DownloadTaken()
            }
        }
        download.received = append.stop
        download.hash = hash
        pending.removeAll(keepingCapacity: true)
    }

    private mutating func report() {
        let now = ContinuousClock.now
        if let reportedAt, now - reportedAt < Self.reportInterval { return }
        reportedAt = now
        rate.count(arrived, now: now)
        context.progress(
            done: arrived, total: download.total, rate: rate.bytesPerSecond(arrived, now: now))
    }
}

extension AppendChunk {
    /// Where the download is afterwards.
    // Bounded: as above.
    var stop: Int64 { download.received + Int64(bytes.count) }
}

/// Somebody else works at the same download: a second job for the same file, without its key.
struct DownloadTaken: Error, CustomStringConvertible {
    var description: String { "another job has gone on with the download of this file" }
}

/// What came doesn't fit what is there. Nothing of it is kept.
struct FileMismatch: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
