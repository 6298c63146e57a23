import Dispatch
import Synchronization
import TenureSystem

/// Many seeds, on two threads, until one fails or all are done.
final class Campaign: Sendable {
    private let options: SimulateOptions
    private let next: Atomic<UInt64>
    private let done = Atomic<Int>(0)
    private let steps = Atomic<Int>(0)
    private let failed = Atomic<UInt64>(0)
    private let differed = Atomic<UInt64>(0)
    private let counts = Mutex<[Int]>(Array(repeating: 0, count: Reached.allCases.count))
    private let start = ContinuousClock.now

    init(_ options: SimulateOptions) {
        self.options = options
        next = Atomic(options.from)
    }

    /// Returns whether all went well.
    func run() -> Bool {
        let threads = (0..<2).map { _ in SimulationThread { self.work() } }
        for thread in threads { thread.join() }
        report()
        if differed.load(ordering: .relaxed) != 0 {
            print("✘ seed \(differed.load(ordering: .relaxed)) ran twice and differed")
            return false
        }
        let seed = failed.load(ordering: .relaxed)
        if seed != 0 {
            let again = Simulation(seed: seed, graphOf: options.graph, keepsLines: true).run()
            for line in Report.lines(of: again, most: 60) { print(line) }
            return false
        }
        return reachedAll()
    }

    private var isOver: Bool {
        if failed.load(ordering: .relaxed) != 0 { return true }
        guard let minutes = options.minutes else { return false }
        return start.duration(to: .now) > .seconds(60 * minutes)
    }

    private func work() {
        let last = options.minutes == nil ? options.from + UInt64(options.seeds) : .max
        while !isOver {
            let seed = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard seed < last else { return }
            let result = Simulation(seed: seed, graphOf: options.graph).run()
            count(result)
            if result.violation != nil {
                // The least of those that fail at the same time.
                _ = failed.compareExchange(expected: 0, desired: seed, ordering: .relaxed)
            }
            if seed % 100 == 0,
                Simulation(seed: seed, graphOf: options.graph).run().hash != result.hash
            {
                differed.store(seed, ordering: .relaxed)
            }
        }
    }

    private func count(_ result: Simulation.Result) {
        done.add(1, ordering: .relaxed)
        steps.add(result.steps, ordering: .relaxed)
        counts.withLock { counts in
            for one in Reached.allCases where result.reached.contains(one) {
                counts[one.rawValue] += 1
            }
        }
    }

    // MARK: The report

    private func report() {
        let seeds = done.load(ordering: .relaxed)
        let taken = start.duration(to: .now)
        let seconds = Double(taken.components.seconds) + Double(taken.components.attoseconds) / 1e18
        print(
            "\(seeds) seeds in \(Int(seconds)) s, \(Int(Double(seeds) / seconds)) a second; "
                + "\(steps.load(ordering: .relaxed) / max(1, seeds)) steps each")
        let counts = counts.withLock { $0 }
        let told = Reached.allCases.map { "\($0) \(counts[$0.rawValue])" }
        print("reached: " + told.joined(separator: ", "))
    }

    private func reachedAll() -> Bool {
        let counts = counts.withLock { $0 }
        let never = Reached.allCases.filter { counts[$0.rawValue] == 0 }
        guard options.expectsAll, !never.isEmpty else { return true }
        print("✘ never reached: \(never.map { "\($0)" }.joined(separator: ", "))")
        return false
    }
}

/// A thread with a stack of its own.
private final class SimulationThread: Sendable {
    private let end = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        let hasStarted = System.startThread { [end] in
            body()
            end.signal()
        }
        precondition(hasStarted, "no thread left for a campaign")
    }

    func join() { end.wait() }
}
