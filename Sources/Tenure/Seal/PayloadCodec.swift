// docs/decisions/encryption.md

/// How the content of jobs is stored: payloads, results, what steps have kept and what signals
/// bring. `AESGCMCodec` of `TenureEncryption` encrypts it.
///
/// Give the same to all who write or read jobs: `TenureClient(pool:codec:)`,
/// `WorkerConfiguration.codec`, and, to read a batch's results, `Inspector(pool:codec:)`. Content
/// is encoded as it is sent, and decoded where a handler, or somebody who waits for a result, reads
/// it: the database, its functions and the command line see the stored form alone. Kinds, keys,
/// queues, lanes, names of steps and signals, errors, reasons and progress stay as they are.
///
/// Both calls are made on the caller's task, for each job: they may compute, and don't wait.
public protocol PayloadCodec: Sendable {
    /// The names of the keys that it can decode with, each of 1 to 64 letters, digits, dots, dashes
    /// and underscores; no secrets. The same as long as it lives. What is encoded with another key
    /// is left to workers that have it.
    var keys: Set<String> { get }
    /// Whether content that isn't encoded is read as it is. True unless it says otherwise: jobs
    /// that were enqueued before there was a codec, by a schedule, or in SQL, are run.
    var readsPlain: Bool { get }

    /// - Parameter plain: JSON, of a mebibyte at most.
    /// - Throws: what makes the enqueue, or the end of the run, fail.
    func encode(_ plain: [UInt8], for context: PayloadContext) throws -> EncodedPayload
    /// - Parameter encoded: as ``encode(_:for:)`` made it, with one of ``keys``; or what somebody
    ///   has made of that.
    /// - Throws: where it was changed, or made for another context. The job's attempt fails then.
    func decode(_ encoded: EncodedPayload, for context: PayloadContext) throws -> [UInt8]
}

extension PayloadCodec {
    public var readsPlain: Bool { true }
}

/// What a ``PayloadCodec`` makes of content.
public struct EncodedPayload: Sendable, Hashable {
    /// The name of the key; no secret.
    public let key: String
    public let bytes: [UInt8]

    public init(key: String, bytes: [UInt8]) {
        (self.key, self.bytes) = (key, bytes)
    }
}

extension PayloadCodec {
    /// What it reads, as part of the name of a release: what is sealed otherwise is left to others.
    package var label: String {
        "keys \(keys.sorted().joined(separator: ","))" + (readsPlain ? "" : " only")
    }
}
