import Synchronization
import TenureSystem

/// `bin/test simulate`: many seeds on as many threads as there are cores, each simulation confined
/// to one of them.
package enum SimulateCommand {
    package static func main() {
        hashDeterministically()
        guard let options = SimulateOptions(CommandLine.arguments.dropFirst()) else {
            print(SimulateOptions.usage)
            exit(2)
        }
        if let seed = options.seed { exit(replay(seed, options)) }
        exit(Campaign(options).run() ? 0 : 1)
    }

    /// The order of sets and dictionaries must not differ between two runs of a seed.
    private static func hashDeterministically() {
        if getenv("SWIFT_DETERMINISTIC_HASHING") != nil { return }
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        var arguments = CommandLine.arguments.map { strdup($0) }
        arguments.append(nil)
        execv(System.ownProgram, arguments)
    }

    private static func replay(_ seed: UInt64, _ options: SimulateOptions) -> Int32 {
        let result = Simulation(seed: seed, graphOf: options.graph, keepsLines: true).run()
        for line in Report.lines(of: result, most: options.shows ? .max : 60) { print(line) }
        return result.violation == nil ? 0 : 1
    }
}

struct SimulateOptions {
    static let usage = """
        usage: simulate [--graphs J] [--seeds N] [--from F] [--minutes M] [--seed S [--trace]]
          --graphs J   not a seed's own jobs: graphs of J jobs that wait for each other
          --seeds N    so many seeds (50000), one after the other
          --from F     beginning with this one (1)
          --minutes M  until the time is up, instead of a number of seeds
          --seed S     this one alone; --trace shows all of what happened
        """
    var seeds = 50_000
    var from: UInt64 = 1
    var minutes: Int?
    var seed: UInt64?
    /// Of how many jobs.
    var graph: Int?
    var shows = false
    /// Whether everything must have been reached: of few seeds that can't be expected.
    var expectsAll: Bool { graph == nil && isLong }
    private var isLong: Bool { minutes != nil || seeds >= 10_000 }

    init?(_ arguments: some Collection<String>) {
        var words = arguments.makeIterator()
        while let word = words.next() {
            if word == "--trace" {
                shows = true
                continue
            }
            guard let value = words.next().flatMap({ UInt64($0) }) else { return nil }
            switch word {
            case "--graphs": graph = Int(value)
            case "--seeds": seeds = Int(value)
            case "--from": from = value
            case "--minutes": minutes = Int(value)
            case "--seed": seed = value
            default: return nil
            }
        }
    }
}

/// What a failing seed has to say.
enum Report {
    static func lines(of result: Simulation.Result, most: Int) -> [String] {
        var lines = Array(result.lines.suffix(most))
        lines.append("seed \(result.seed), \(result.mode): \(result.violation ?? "no violation")")
        lines.append("\(result.steps) steps, trace \(String(result.hash, radix: 16))")
        if result.violation != nil {
            let graph = result.graph.map { "--graphs \($0) " } ?? ""
            lines.append("replay: bin/test simulate \(graph)--seed \(result.seed) --trace")
        }
        return lines
    }
}
