import Synchronization
package import TenureSystem

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
        guard let (theirs, ours) = System.socketPair() else {
            throw ProcessFailure(what: "socketpair", errno: errno)
        }
        defer { close(theirs) }
        var program = Program(command[0], command, environment: Self.merged(environment))
        program.descriptors = [(theirs, 0)]
        if let output { program.descriptors += [(output, 1), (output, 2)] }
        do {
            pid = try program.start()
        } catch {
            close(ours)
            throw ProcessFailure(what: "spawn \(command[0])", errno: error.errno)
        }
        input = ours
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
        _ = text.withCString { System.send(input, $0, strlen($0)) }
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
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? System.ownPath ?? ""
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
}
