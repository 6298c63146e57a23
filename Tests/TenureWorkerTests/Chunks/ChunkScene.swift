import Synchronization
import Tenure
import TenureWorker

/// A job whose handler's value is its number.
struct Parcel: Job {
    static let kind: JobKind = "parcel"
    static let options = JobOptions<Self>(retry: .constant(maxAttempts: 1, .zero))
    let number: Int
    var isNew = false

    var key: String { "parcel \(number)" }
}

/// A worker whose jobs commit by one writer into one table, and what was seen of that.
struct ChunkScene: Sendable {
    let fixture: WorkerFixture
    /// The numbers that each call of the writer was given.
    let calls = Calls()
    static let size = 32

    final class Calls: Sendable {
        private let all = Mutex<[[Int]]>([])
        var sizes: [Int] { all.withLock { $0.map(\.count) } }

        /// Returns whether it is the first.
        func add(_ numbers: [Int]) -> Bool {
            all.withLock {
                $0.append(numbers)
                return $0.count == 1
            }
        }
    }

    init(_ label: String) async throws {
        try await self.init(try await WorkerFixture(label))
    }

    init(_ fixture: WorkerFixture) async throws {
        self.fixture = fixture
        try await fixture.pool.simple("CREATE TABLE effect (number bigint, by bigint)")
    }

    /// - Parameters:
    ///   - within: long enough that all are there; the chunk goes as soon as it is full.
    ///   - each: before a job's commit.
    ///   - meanwhile: within the first transaction, after its writes.
    func jobs(
        upTo: Int = size, within: Duration = .seconds(20), as outcome: JobOutcome = .completed,
        each: @escaping @Sendable (Parcel, JobContext) async throws -> Void = { _, _ in },
        meanwhile: @escaping @Sendable (PostgresTransaction) async throws -> Void = { _ in }
    ) -> JobRegistry {
        let writer = ChunkWriter<Int>(upTo: upTo, within: within) { [calls] members, transaction in
            let isFirst = calls.add(members.map(\.value))
            try await transaction.query(
                "INSERT INTO effect SELECT n, f FROM unnest($1::int8[], $2::int8[]) AS e (n, f)",
                [members.map { Int64($0.value) }, members.map(\.context.fence.rawValue)])
            if isFirst { try await meanwhile(transaction) }
        }
        var jobs = JobRegistry()
        jobs.handle(Parcel.self) { parcel, context in
            if parcel.isNew { return .completed }
            try await each(parcel, context)
            return try await context.commit(parcel.number, by: writer, as: outcome)
        }
        return jobs
    }

    /// With numbers from 1,001 on.
    func enqueue(_ count: Int = size) async throws {
        try await fixture.client.enqueue(
            try (1...count).map { number in
                let parcel = Parcel(number: 1000 + number)
                return try NewJob(parcel, .superseding(parcel.key))
            })
    }

    func supersede(_ number: Int) async throws {
        let parcel = Parcel(number: number, isNew: true)
        try await fixture.client.enqueue(parcel, .superseding(parcel.key))
    }

    /// How many have left an effect; of those, how many transactions have written them.
    func effects() async throws -> (count: Int64, transactions: Int64) {
        try await fixture.pool.query("SELECT count(*), count(DISTINCT xmin::text) FROM effect") {
            (try $0.decode(0, as: Int64.self), try $0.decode(1, as: Int64.self))
        }[0]
    }

    func ended(_ count: Int = size, as outcome: String = "completed") async throws {
        try await fixture.eventually(
            "\(count) are \(outcome)",
            """
            SELECT count(*) = \(count) FROM tenure.job_history
            WHERE outcome = '\(outcome)' AND NOT (payload->>'isNew')::bool
            """)
    }

    var errors: Int64 { get async throws { try await fixture.count("tenure.attempt_error") } }
}
