import Foundation
import Synchronization
import TenureSystem

/// The built binary, run as a process with an environment of its own.
struct Command: Sendable {
    struct Result: Sendable {
        let code: Int32
        let output: String
        let errors: String

        var errorLines: [Substring] { errors.split(separator: "\n") }

        func object() throws -> [String: Any] { try json() as? [String: Any] ?? [:] }
        func array() throws -> [[String: Any]] { try json() as? [[String: Any]] ?? [] }

        private func json() throws -> Any {
            try JSONSerialization.jsonObject(with: Data(output.utf8))
        }
    }

    var environment: [String: String] = [:]
    var folder = FileManager.default.temporaryDirectory.path
    private(set) var program = "tenure"

    init(_ conninfo: String? = nil, folder: String? = nil, demo: Bool = true) {
        // Of the tools that look into a process it keeps what they have to know; and a mutant of
        // Tests/Mutants is awake in all processes, or in none.
        environment = ProcessInfo.processInfo.environment.filter {
            $0.key.hasSuffix("SAN_OPTIONS")
                || ["LLVM_PROFILE_FILE", "TENURE_MUTANT"].contains($0.key)
        }
        environment["PATH"] = "/usr/bin:/bin"
        environment["DATABASE_URL"] = conninfo
        if demo { environment["TENURE_DEMO_JOBS"] = "1" }
        if let folder { self.folder = folder }
    }

    func with(_ name: String, _ value: String?) -> Command {
        var copy = self
        copy.environment[name] = value
        return copy
    }

    /// The benchmark's program instead, with the same surroundings.
    var measuring: Command {
        var copy = self
        copy.program = "tenure-bench"
        return copy
    }

    /// Runs to the end.
    func run(_ arguments: String..., input: String? = nil) async throws -> Result {
        try await RunningCommand(self, arguments, input: input).result()
    }

    func runAll(_ arguments: [String]) async throws -> Result {
        try await RunningCommand(self, arguments, input: nil).result()
    }

    func start(_ arguments: [String]) throws -> RunningCommand {
        try RunningCommand(self, arguments, input: nil)
    }

    func start(_ arguments: String...) throws -> RunningCommand {
        try RunningCommand(self, arguments, input: nil)
    }

    /// Beside the test bundle.
    var path: String { Self.builds.appending(path: program).path }

    private static let builds = URL(filePath: System.ownPath ?? "").deletingLastPathComponent()
}

/// A process; killed when nobody holds it any more.
///
/// Not Foundation's `Process`: with many of them at once it has crashed in `run()`.
final class RunningCommand: Sendable {
    struct NotStarted: Error { let code: Int32 }

    let id: pid_t
    private let base: String
    private let end = End()

    /// Apart, so that the thread that waits for it holds nobody.
    private final class End: Sendable {
        let status = Mutex<Int32?>(nil)

        func wait(for id: pid_t) {
            var found: Int32 = 0
            while waitpid(id, &found, 0) < 0, errno == EINTR {}
            status.withLock { $0 = found }
        }
    }

    init(
        _ command: Command, _ arguments: [String], input: String? = nil,
        terminal: PseudoTerminal? = nil
    ) throws {
        base = FileManager.default.temporaryDirectory.path + "/tenure-cli-\(UUID())"
        try Data((input ?? "").utf8).write(to: URL(filePath: "\(base).in"))
        var ends: [Int32]
        if let terminal {
            ends = (0..<2).map { _ in fcntl(terminal.program, F_DUPFD_CLOEXEC, 0) }
        } else {
            ends = [open("\(base).in", O_RDONLY | O_CLOEXEC), Self.create("\(base).out")]
        }
        ends.append(Self.create("\(base).err"))
        defer { for end in ends { close(end) } }
        let way = ["/bin/bash", "-c", Self.script, command.folder, command.path]
        id = try Self.spawn(way + arguments, command.environment, ends)
        Thread { [end, id] in end.wait(for: id) }.start()
    }

    deinit {
        if end.status.withLock({ $0 == nil }) { kill(id, SIGKILL) }
        for part in ["in", "out", "err"] {
            // Reason for `try?`: a file left in the temporary folder fails no test.
            try? FileManager.default.removeItem(atPath: "\(base).\(part)")
        }
    }

    /// In its folder, without what other tests have open, and with as many files as it may have.
    private static let script = """
        cd "$0" || exit 125
        [[ -z ${TEST_DESCRIPTORS:-} ]] || ulimit -n "$TEST_DESCRIPTORS"
        for open in /dev/fd/*; do
            number=${open##*/}
            if ((number > 2)); then eval "exec $number>&-"; fi
        done
        exec "$@"
        """

    private static func create(_ path: String) -> Int32 {
        open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    }

    /// Threads of tests block signals, and children inherit that: these begin without.
    private static func spawn(
        _ command: [String], _ environment: [String: String], _ ends: [Int32]
    ) throws -> pid_t {
        var program = Program(
            command[0], command, environment: environment.map { "\($0.key)=\($0.value)" })
        program.descriptors = ends.enumerated().map { (ours: $1, its: Int32($0)) }
        program.blocksNoSignals = true
        do {
            return try program.start()
        } catch {
            throw NotStarted(code: error.errno)
        }
    }

    func send(_ signal: Int32) { kill(id, signal) }

    var errors: String { Self.read("\(base).err") }

    /// Waits for its end.
    func result() async throws -> Command.Result {
        while true {
            if let status = end.status.withLock({ $0 }) {
                let code = status & 0x7F == 0 ? status >> 8 & 0xFF : -1
                return Command.Result(
                    code: code, output: Self.read("\(base).out"), errors: errors)
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private static func read(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
