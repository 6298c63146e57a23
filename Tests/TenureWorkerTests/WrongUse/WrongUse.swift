import Logging
import Tenure
import TenureCoordinator
import TenureFoundation
import TenureWorker
import Testing

/// A way to use the library wrongly, and what its one line says: what was wrong, and the remedy.
struct WrongUse: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let says: [String]
    let use: @Sendable (WorkerFixture) async throws -> Void

    init(
        _ name: String, says: [String],
        use: @escaping @Sendable (WorkerFixture) async throws -> Void
    ) {
        testDescription = name
        self.says = says
        self.use = use
    }

    /// Tries it, and looks at the line.
    func check(on fixture: WorkerFixture) async {
        let error = await #expect(throws: (any Error).self) { try await use(fixture) }
        let line = error.map { "\($0)" } ?? ""
        #expect(!line.contains("\n"))
        for part in says { #expect(line.contains(part), "\(line)") }
    }
}

struct Slip: Job {
    static let kind: JobKind = "slip"
    static let options = JobOptions<Self>(retry: .constant(maxAttempts: 1, .zero))
    var text = ""
    var number = 1.0
}

/// Another type that says it is the same kind.
struct Twin: Job {
    static let kind: JobKind = "slip"
    static let options = JobOptions<Self>()
    var other = 1
}

struct Stranger: Job {
    static let kind: JobKind = "stranger"
    static let options = JobOptions<Self>()
}

extension WrongUse {
    static func worker(
        _ setting: String, says: String,
        _ change: @escaping @Sendable (inout WorkerConfiguration) -> Void
    ) -> WrongUse {
        WrongUse("a worker's \(setting)", says: [setting, says]) { fixture in
            var configuration = WorkerConfiguration()
            change(&configuration)
            _ = try Worker(
                pool: fixture.pool, jobs: JobRegistry(), configuration: configuration,
                logger: fixture.logger)
        }
    }

    static func coordinator(
        _ setting: String, says: String,
        _ change: @escaping @Sendable (inout CoordinatorConfiguration) -> Void
    ) -> WrongUse {
        WrongUse("a coordinator's \(setting)", says: [setting, says]) { fixture in
            var configuration = CoordinatorConfiguration()
            change(&configuration)
            _ = try Coordinator(
                pool: fixture.pool, configuration: configuration, logger: fixture.logger)
        }
    }

    static func enqueue(
        _ name: String, says: String..., mode: KeyMode? = nil,
        job: Slip = Slip(), options: EnqueueOptions = EnqueueOptions()
    ) -> WrongUse {
        WrongUse(name, says: says) { fixture in
            try await fixture.client.enqueue(job, mode, options: options)
        }
    }
}
