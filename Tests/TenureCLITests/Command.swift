import Foundation
import Synchronization

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

    private static let builds = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let written = O_WRONLY | O_CREAT | O_TRUNC
        if let terminal {
            posix_spawn_file_actions_adddup2(&actions, terminal.program, 0)
            posix_spawn_file_actions_adddup2(&actions, terminal.program, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "\(base).in", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, "\(base).out", written, 0o600)
        }
        posix_spawn_file_actions_addopen(&actions, 2, "\(base).err", written, 0o600)
        let way = ["/bin/bash", "-c", Self.script, command.folder, command.path]
        id = try Self.spawn(way + arguments, command.environment, &actions)
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
        for open in /proc/$$/fd/*; do
            number=${open##*/}
            if ((number > 2)); then eval "exec $number>&-"; fi
        done
        exec "$@"
        """

    /// Threads of tests block signals, and children inherit that: these begin without.
    private static func spawn(
        _ command: [String], _ environment: [String: String],
        _ actions: inout posix_spawn_file_actions_t
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var id = pid_t()
        let code = posix_spawn(&id, command[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw NotStarted(code: code) }
        return id
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
