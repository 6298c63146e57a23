import FoundationEssentials
import Glibc
import Synchronization

/// A worker in a process of its own, to be killed and frozen.
final class WorkerProcess: Sendable {
    struct Line: Sendable {
        let word: String
        let job: String
        let fence: Int64
        /// CLOCK_BOOTTIME, the same for all processes of a machine.
        let at: Int64
        let detail: String
    }

    let pid: pid_t
    private let output: Int32
    private let lines = Mutex<[Line]>([])
    private let exitCode = Mutex<Int32?>(nil)

    init(conninfo: String, lease: Double = 3, slots: Int = 4, grace: Double = 1) throws {
        var pipe: [Int32] = [0, 0]
        guard Glibc.pipe(&pipe) == 0 else { throw ProcessFailure(what: "pipe", errno: errno) }
        _ = fcntl(pipe[0], F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
        posix_spawn_file_actions_addclose(&actions, pipe[0])
        let path = Self.binary
        let words = [path, conninfo, "\(lease)", "\(slots)", "\(grace)"]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var pid = pid_t()
        let status = posix_spawn(&pid, path, &actions, nil, &arguments, environ)
        close(pipe[1])
        guard status == 0 else { throw ProcessFailure(what: "spawn \(path)", errno: status) }
        self.pid = pid
        output = pipe[0]
        readLines()
    }

    /// Beside the test bundle, where the build puts it.
    private static var binary: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let exe = String(
            decoding: buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let arguments = CommandLine.arguments
        let bundle = arguments.first { $0.contains(".xctest") } ?? exe
        let folder = bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return folder.joined(separator: "/") + "/FaultWorker"
    }

    func send(_ signal: Int32) { kill(pid, signal) }

    func seen(_ word: String) -> [Line] { lines.withLock { $0.filter { $0.word == word } } }

    /// Waits for a line; fails after the limit.
    func wait(for word: String, job: String? = nil, within limit: Duration = .seconds(30))
        async throws
        -> Line
    {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            if let line = seen(word).first(where: { job == nil || $0.job == job }) { return line }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw ProcessFailure(what: "no line \"\(word)\" from worker \(pid)", errno: 0)
    }

    /// Waits for the end; the exit code, or 128 + the signal.
    func end(within limit: Duration = .seconds(30)) async throws -> Int32 {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            if let code = exitCode.withLock({ $0 }) { return code }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw ProcessFailure(what: "worker \(pid) did not end", errno: 0)
    }

    private func readLines() {
        runThread { [self] in
            guard let file = fdopen(output, "r") else { return }
            var line: UnsafeMutablePointer<CChar>?
            var capacity = 0
            while getline(&line, &capacity, file) > 0, let line {
                take(String(cString: line))
            }
            free(line)
            fclose(file)
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
            exitCode.withLock { $0 = code }
        }
    }

    private func take(_ text: String) {
        let parts = text.split(whereSeparator: \.isWhitespace)
        guard parts.count >= 4, let fence = Int64(parts[2]), let at = Int64(parts[3]) else {
            return
        }
        let line = Line(
            word: String(parts[0]), job: String(parts[1]), fence: fence, at: at,
            detail: parts.dropFirst(4).joined(separator: " "))
        lines.withLock { $0.append(line) }
    }
}

/// A thread for blocking calls.
func runThread(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { argument in
            Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Box(body)).toOpaque())
    pthread_detach(thread)
}

struct ProcessFailure: Error, CustomStringConvertible {
    let what: String
    let errno: Int32
    var description: String { errno == 0 ? what : "\(what): \(String(cString: strerror(errno)))" }
}
