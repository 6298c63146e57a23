import FaultSupport
import Foundation
import Synchronization

/// A worker in a process of its own, to be killed and frozen: the fault rig's, and its log.
final class WorkerProcess: Sendable {
    /// A line of its log, as Tests/History/FORMAT.md has it.
    struct Line: Decodable, Sendable {
        let event: String
        let boot: Double
        var job: String?
        var fence: Int64?
        var reason: String?
        var answer: String?
        var error: String?
    }

    private let process: ChildProcess
    private let lines = Mutex<[Line]>([])

    init(conninfo: String, lease: Double = 3, slots: Int = 4, grace: Double = 1) throws {
        let pipe = Pipe()
        process = try ChildProcess(
            [
                ChildProcess.beside("fault-rig"), "worker", "--conninfo", conninfo, "--lease",
                "\(lease)", "--queue", "default:\(slots)", "--grace", "\(grace)",
            ], output: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        let output = pipe.fileHandleForReading
        runThread { [self] in readLines(output) }
    }

    func send(_ signal: Int32) { process.send(signal) }

    func seen(_ event: String, answer: String? = nil) -> [Line] {
        lines.withLock {
            $0.filter { $0.event == event && (answer == nil || $0.answer == answer) }
        }
    }

    /// Waits for a line; fails after the limit.
    func wait(
        for event: String, job: String? = nil, answer: String? = nil,
        within limit: Duration = .seconds(30)
    ) async throws -> Line {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            if let line = seen(event, answer: answer).first(where: { job == nil || $0.job == job })
            {
                return line
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw ProcessFailure(what: "no \"\(event)\" from worker \(process.pid)")
    }

    /// Waits for the end; the exit code, or 128 + the signal.
    func end() async throws -> Int32 { try await process.end() }

    private func readLines(_ output: FileHandle) {
        var rest = Data()
        let decoder = JSONDecoder()
        while case let data = output.availableData, !data.isEmpty {
            rest += data
            while let end = rest.firstIndex(of: 10) {
                // What isn't a line of the log is a message to a person: it is passed on.
                do {
                    let line = try decoder.decode(Line.self, from: rest[rest.startIndex..<end])
                    lines.withLock { $0.append(line) }
                } catch {
                    print(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                }
                rest = Data(rest[rest.index(after: end)...])
            }
        }
    }
}
