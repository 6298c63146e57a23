import EmbeddedPostgres
import FaultSupport
import Synchronization
import TenureSystem

/// The processes of the load.
final class Load: Sendable {
    let workers: [ProcessSlot]
    let coordinators: [ProcessSlot]
    let producers: [ProcessSlot]
    private let sink: ProcessSlot
    private let sinkSocket: String
    private let unclean = Mutex<[String]>([])

    init(
        _ options: RigOptions, recording: Recording, database: Database, socketFile: String,
        shim: ClockShim, folder: String
    ) throws {
        let binary = ChildProcess.beside("fault-rig")
        let socket = "\(folder)/sink"
        sinkSocket = socket
        let maker = SlotMaker(
            options: options, recording: recording, direct: database.server.conninfo,
            socketFile: socketFile, shim: shim, folder: folder, binary: binary)
        workers = try (1...options.workers).map { number in
            var words = ["--sink", socket, "--crash-notes", folder, "--poll", "\(Rig.poll)"]
            for queue in ["default:8", "laned:6", "limited:4", "plain:4"] {
                words += ["--queue", queue]
            }
            if !options.deliversCancellation { words.append("--cancellation-off") }
            // One of them never listens.
            if number == options.workers, number > 1 { words.append("--deaf-to-notify") }
            return try maker.slot(.worker, number, words)
        }
        coordinators = [try maker.slot(.coordinator, 1, [])]
        producers = try (1...2).map { try maker.slot(.producer, $0, []) }
        sink = ProcessSlot(.sink, name: "sink") { _ in
            [binary, "sink", "--socket", socket, "--log", "\(recording.folder)/sink.jsonl"]
        }
    }

    /// Processes that did not end as they should when they were asked to.
    var uncleanEnds: [String] { unclean.withLock { $0 } }

    func start(in group: inout ThrowingTaskGroup<Void, any Error>) async throws {
        group.addTask { [sink] in try await sink.run() }
        while access(sinkSocket, F_OK) != 0 { try await Task.sleep(for: .milliseconds(10)) }
        for slot in workers + coordinators + producers {
            group.addTask { try await slot.run() }
        }
    }

    /// No new jobs from here on.
    func stopProducing() async throws {
        for producer in producers { producer.stop(order: "stop") }
        for coordinator in coordinators { coordinator.stop() }
        for slot in producers + coordinators { try await end(slot, within: .seconds(60)) }
    }

    func stopWorking() async throws {
        for worker in workers { worker.stop() }
        for worker in workers { try await end(worker, within: .seconds(20)) }
        sink.stop()
    }

    private func end(_ slot: ProcessSlot, within limit: Duration) async throws {
        let name = slot.current?.name ?? slot.name
        switch try await slot.ended(within: limit) {
        case 0: break
        case let code?: unclean.withLock { $0.append("\(name) ended with \(code)") }
        case nil: unclean.withLock { $0.append("\(name) had to be killed") }
        }
    }
}

/// Makes a slot with a proxy of its own and, for workers, a clock of its own.
private struct SlotMaker {
    let options: RigOptions
    let recording: Recording
    let direct: String
    let socketFile: String
    let shim: ClockShim
    let folder: String
    let binary: String

    func slot(
        _ role: ProcessSlot.Role, _ number: Int, _ more: [String]
    ) throws -> ProcessSlot {
        let name = "\(role.rawValue)-\(number)"
        let proxy = try DatabaseProxy(to: socketFile)
        let clock =
            role == .worker ? try SteppedClock("\(folder)/\(name).clock", shim) : nil
        let conninfo = proxy.conninfo(direct)
        let seed = options.seed &* 31 &+ UInt64(number)
        return ProcessSlot(
            role, name: name, proxy: proxy, clock: clock,
            command: { [binary, recording, options] incarnation in
                [
                    binary, role.rawValue, "--name", incarnation,
                    "--log", recording.log(of: incarnation), "--conninfo",
                    "\(conninfo) application_name=\(incarnation)", "--lease", "\(options.lease)",
                    "--seed", "\(seed)",
                ] + more
            },
            fell: { [recording, folder] incarnation, code in
                if let note = CrashNote(in: folder, of: incarnation.pid) {
                    recording.fault(
                        .crashHandler, from: note.boot, incarnation, job: note.job,
                        detail: "code \(code)")
                } else {
                    say("  \(incarnation.name) ended with \(code) and is started anew")
                }
            })
    }
}
