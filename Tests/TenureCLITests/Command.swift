import Foundation

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

    init(_ conninfo: String? = nil, folder: String? = nil, demo: Bool = true) {
        environment = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
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
    static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "tenure").path
}

/// A process; killed when nobody holds it any more.
final class RunningCommand: Sendable {
    let id: pid_t
    private let process: Process
    private let base: String

    init(
        _ command: Command, _ arguments: [String], input: String? = nil,
        terminal: PseudoTerminal? = nil
    ) throws {
        base = FileManager.default.temporaryDirectory.path + "/tenure-cli-\(UUID())"
        process = Process()
        process.executableURL = URL(filePath: Command.path)
        process.arguments = arguments
        process.environment = command.environment
        process.currentDirectoryURL = URL(filePath: command.folder)
        process.standardOutput = try Self.file("\(base).out")
        process.standardError = try Self.file("\(base).err")
        try Data((input ?? "").utf8).write(to: URL(filePath: "\(base).in"))
        process.standardInput = FileHandle(forReadingAtPath: "\(base).in")
        if let terminal {
            let handle = FileHandle(fileDescriptor: terminal.program, closeOnDealloc: false)
            process.standardInput = handle
            process.standardOutput = handle
        }
        try process.run()
        id = process.processIdentifier
    }

    deinit {
        if process.isRunning { kill(id, SIGKILL) }
        for end in ["in", "out", "err"] {
            // Reason for `try?`: a file left in the temporary folder fails no test.
            try? FileManager.default.removeItem(atPath: "\(base).\(end)")
        }
    }

    func send(_ signal: Int32) { kill(id, signal) }

    var errors: String { Self.read("\(base).err") }

    /// Waits for its end.
    func result() async throws -> Command.Result {
        while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        let code = process.terminationReason == .exit ? process.terminationStatus : -1
        return Command.Result(code: code, output: Self.read("\(base).out"), errors: errors)
    }

    private static func file(_ path: String) throws -> FileHandle {
        try Data().write(to: URL(filePath: path))
        return try FileHandle(forWritingTo: URL(filePath: path))
    }

    private static func read(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
