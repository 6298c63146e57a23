package import Glibc
import Synchronization

/// A process of our own, to be killed and frozen. It goes with us, however we end.
package final class ChildProcess: Sendable {
    package let pid: pid_t
    private let input: Int32
    private let exitCode = Mutex<Int32?>(nil)

    /// - Parameters:
    ///   - command: a path and its arguments.
    ///   - output: where its standard output and error go; ours when nil.
    package init(
        _ command: [String], environment: [String: String] = [:], output: Int32? = nil
    ) throws {
        // Not a pipe: what another thread starts meanwhile must not inherit our end of it.
        var pipe: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pipe) == 0 else {
            throw ProcessFailure(what: "socketpair", errno: errno)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe[0], 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
            posix_spawn_file_actions_adddup2(&actions, output, 2)
        }
        let status = Self.spawn(command, Self.merged(environment), &actions)
        close(pipe[0])
        guard case .success(let pid) = status else {
            close(pipe[1])
            guard case .failure(let error) = status else { preconditionFailure("two cases") }
            throw error
        }
        self.pid = pid
        input = pipe[1]
        runThread { [self] in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
            exitCode.withLock { $0 = code }
        }
    }

    deinit { close(input) }

    /// The exit code once it has ended, or 128 + the signal.
    package var ended: Int32? { exitCode.withLock { $0 } }

    package func send(_ signal: Int32) {
        exitCode.withLock { if $0 == nil { _ = kill(pid, signal) } }
    }

    /// A line on its standard input.
    package func tell(_ line: String) {
        let text = line + "\n"
        // One that has ended hears nothing, and is no reason to die of SIGPIPE.
        _ = text.withCString { Glibc.send(input, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }

    /// Waits for the end; the exit code, or 128 + the signal.
    package func end(within limit: Duration = .seconds(30)) async throws -> Int32 {
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end {
            if let code = ended { return code }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw ProcessFailure(what: "process \(pid) did not end")
    }

    /// The executable of that name beside the running one, or beside the test bundle.
    package static func beside(_ name: String) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(
            decoding: buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? own
        let folder = bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return folder.joined(separator: "/") + "/" + name
    }

    private static func merged(_ more: [String: String]) -> [String] {
        var lines: [String] = []
        var entry = environ
        while let line = entry.pointee {
            let text = String(cString: line)
            if more[String(text.prefix { $0 != "=" })] == nil { lines.append(text) }
            entry += 1
        }
        return lines + more.map { "\($0.key)=\($0.value)" }
    }

    private static func spawn(
        _ command: [String], _ environment: [String], _ actions: inout posix_spawn_file_actions_t
    ) -> Result<pid_t, ProcessFailure> {
        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid = pid_t()
        let status = posix_spawn(&pid, command[0], &actions, nil, &arguments, &variables)
        return status == 0
            ? .success(pid) : .failure(ProcessFailure(what: "spawn \(command[0])", errno: status))
    }
}
