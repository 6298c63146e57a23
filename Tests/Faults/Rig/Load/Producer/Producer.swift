import ArgumentParser
import FaultSupport
import Logging
import Synchronization
import Tenure
import TenureSystem

/// Enqueues, cancels and retries, in several lines at once, until it is told to stop.
struct ProducerRole: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "producer", shouldDisplay: false)
    @OptionGroup var options: RoleOptions
    @Option(help: "Calls at the same time.") var lines = 3
    @Option(help: "Milliseconds between two calls of a line, on average.") var pause = 300

    func run() async throws {
        let (log, logger) = try options.start("producer")
        let pool = try options.pool(size: 6, logger: logger)
        let client = TenureClient(pool: pool, logger: logger)
        let calls = ProducerCalls(log: log, pool: pool, client: client, name: options.name)
        let orders = Orders()
        ParentWatch.start { orders.take($0) }
        await withTaskGroup(of: Void.self) { group in
            for line in 0..<lines {
                let maker = JobMaker(
                    name: "\(options.name)-\(line)", lease: options.lease,
                    generator: SeededGenerator(seed: options.seed, stream: UInt64(line + 1)))
                let pause = pause
                group.addTask {
                    var line = ProducerLine(
                        calls: calls, orders: orders, maker: maker, pause: pause,
                        lease: options.lease)
                    await line.run()
                }
            }
        }
        await pool.close()
    }
}

/// What the rig asks for.
final class Orders: Sendable {
    private let waiting = Mutex<[String]>([])
    private let stopped = Atomic(false)

    var isStopped: Bool { stopped.load(ordering: .relaxed) }

    func take(_ order: String) {
        if order == "stop" {
            stopped.store(true, ordering: .relaxed)
        } else {
            waiting.withLock { $0.append(order) }
        }
    }

    func next() -> String? { waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

/// One call after the other.
struct ProducerLine {
    let calls: ProducerCalls
    let orders: Orders
    var maker: JobMaker
    let pause: Int
    let lease: Double

    private enum Action { case single, bulk, linked, transaction, executor, burst, cancel, retry }

    mutating func run() async {
        while !orders.isStopped {
            do {
                if let order = orders.next() {
                    try await carryOut(order)
                } else {
                    try await act()
                }
                try await Task.sleep(for: .milliseconds(pause / 2 + maker.number(below: pause)))
            } catch {
                // A draft that the library refuses would be the rig's own fault.
                preconditionFailure("a draft was refused: \(error)")
            }
        }
    }

    private mutating func act() async throws {
        let action: Action = maker.generator.pick([
            .single: 50, .bulk: 8, .linked: 10, .transaction: 12, .executor: 6, .burst: 5,
            .cancel: 10, .retry: 4,
        ])
        var isAnswered = true
        switch action {
        case .single: isAnswered = await calls.enqueue([try maker.any()])
        case .bulk:
            var drafts: [Draft] = []
            for _ in 0..<(3 + maker.number(below: 6)) { drafts.append(try maker.any()) }
            isAnswered = await calls.enqueue(drafts)
        case .linked: isAnswered = await calls.enqueue(try maker.linked(after: calls.lately))
        case .transaction: isAnswered = await calls.enqueueInTransaction([try maker.own()])
        case .executor: isAnswered = await calls.enqueueOnExecutor([try maker.any()])
        case .burst: try await burst()
        case .cancel: await calls.cancel(recent())
        case .retry: await calls.retry(recent())
        }
        if !isAnswered { try await Task.sleep(for: .milliseconds(300)) }
    }

    /// One key again and again, faster than it falls due.
    private mutating func burst() async throws {
        let key = "burst-\(maker.number(below: 4))"
        for _ in 0..<4 {
            await calls.enqueue([try maker.debounced(key: key)])
            try await Task.sleep(for: .milliseconds(80))
        }
    }

    private mutating func recent() -> JobID {
        let jobs = calls.lately
        return jobs.isEmpty ? JobID() : jobs[maker.number(below: jobs.count)]
    }

    private mutating func carryOut(_ order: String) async throws {
        switch order {
        case "crash": await calls.enqueue([try maker.crashing()])
        case "deaf":
            var plan = Plan(milliseconds: [Int(lease * 1000 * JobMaker.longestWork), 100])
            plan.behaviour = .deaf
            let key = "deaf-\(maker.number(below: 100))"
            await calls.enqueue([try maker.superseding(key: key, plan: plan)])
            try await Task.sleep(for: .milliseconds(800 + maker.number(below: 1000)))
            await calls.enqueue(
                [try maker.superseding(key: key, plan: Plan(milliseconds: [30]))])
        default: preconditionFailure("an unknown order: \(order)")
        }
    }
}
