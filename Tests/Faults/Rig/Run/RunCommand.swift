import ArgumentParser
import FaultSupport
import TenureSystem

struct RunCommand: AsyncParsableCommand {
    enum Steps: String, ExpressibleByArgument { case both, ahead }
    enum Switch: String, ExpressibleByArgument { case on, off }

    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Start everything, inject faults, record, drain, stop.")

    @Option(help: "How long faults are injected.") var seconds: Double?
    @Option var minutes: Double?
    @Option var hours: Double?
    @Option(help: "Decides what happens when; a random one is printed.") var seed: UInt64?
    @Option(help: "An empty folder for the recording.") var out: String
    @Option(help: "Kinds of fault, with commas; all of them when left out, or none.")
    var faults: String?
    @Option(help: "Seconds.") var lease = 3.0
    @Option var workers = 3
    @Option(help: "Off: nothing delivers cancellations to handlers.") var cancellation = Switch.on

    @Flag(help: "PgBouncer in transaction mode between the proxies and the database.")
    var pooler = false

    @Option(help: "both: the database's clock also goes back; ahead: never behind where it was.")
    var databaseSteps = Steps.both

    @Option(
        help: """
            HH:MM: where the database's clock begins, in UTC. From 00:05 it is stepped back over \
            midnight, from 23:30 ahead.
            """)
    var at: String?

    func run() async throws {
        let noDisk = try await SmallDisk.enterNamespace()
        let seed = seed ?? UInt64.random(in: 1...999_999_999)
        let options = RigOptions(
            seconds: seconds ?? minutes.map { $0 * 60 } ?? hours.map { $0 * 3600 } ?? 180,
            seed: seed, folder: out, kinds: try kinds(), lease: lease, workers: workers,
            deliversCancellation: cancellation == .on, databaseGoesBack: databaseSteps == .both,
            isPooled: pooler, databaseAhead: try databaseAhead())
        say("fault-rig: \(Int(options.seconds)) s of faults, seed \(seed), recording in \(out)")
        let rig = try await Rig(options, noDisk: noDisk)
        let verdict = try await rig.run()
        say(verdict.text)
        if !verdict.failures.isEmpty { throw ExitCode.failure }
    }

    private func databaseAhead() throws -> Int {
        guard let at else { return 0 }
        guard let time = at.wholeMatch(of: #/([01][0-9]|2[0-3]):([0-5][0-9])/#)?.output,
            let hours = Int(time.1), let minutes = Int(time.2)
        else { throw ValidationError("--at is \(at); give a time of the day as 00:05") }
        let ahead = hours * 3600 + minutes * 60 - TenureSystem.time(nil) % 86_400
        return ahead < 0 ? ahead + 86_400 : ahead
    }

    private func kinds() throws -> [FaultKind] {
        // Behind a pooler nobody hears notifications anyway.
        guard let faults else { return FaultKind.allCases.filter { !pooler || $0 != .notifyOff } }
        if faults == "none" { return [] }
        return try faults.split(separator: ",").map { name in
            guard let kind = FaultKind(rawValue: String(name)) else {
                let known = FaultKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--faults names \(name); known are \(known)")
            }
            return kind
        }
    }
}

struct RigOptions: Sendable {
    let seconds: Double
    let seed: UInt64
    let folder: String
    let kinds: [FaultKind]
    let lease: Double
    let workers: Int
    let deliversCancellation: Bool
    let databaseGoesBack: Bool
    let isPooled: Bool
    /// By how many seconds the database's clock is off from the beginning.
    let databaseAhead: Int
}
