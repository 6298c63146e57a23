import Tenure
import TenureEncryption
import TenureWorker

/// docs/payloads.md
struct Encrypting {
    let client: TenureClient
    let worker: Worker

    init(pool: PostgresPool, jobs: JobRegistry) throws {
        let codec = try AESGCMCodec(
            keys: [EncryptionKey("2026", environment: "JOBS_KEY_2026")], current: "2026")
        let client = TenureClient(pool: pool, codec: codec)
        var configuration = WorkerConfiguration()
        configuration.codec = codec
        let worker = try Worker(pool: pool, jobs: jobs, configuration: configuration)
        (self.client, self.worker) = (client, worker)
    }
}
