import Dispatch
import EmbeddedPostgres
import FoundationEssentials
package import Glibc
import Synchronization

/// This program again, or another one, as a child that ends with its parent: it reads its standard
/// input, whose other end only the parent holds (`ParentWatch`).
package final class ChildProcess: Sendable {
    package enum End: Sendable, CustomStringConvertible {
        case code(Int32)
        case signal(Int32)

        package var description: String {
            switch self {
            case .code(let code): "exit code \(code)"
            case .signal(let number): "signal \(number)"
            }
        }
    }

    private struct State {
        var end: End?
        var waiters: [CheckedContinuation<End, Never>] = []
    }

    package let id: pid_t
    private let leash: Int32
    private let state = Mutex(State())

    /// This program, with other arguments.
    package convenience init(arguments: [String], environment: [String: String]) throws {
        try self.init(
            program: "/proc/self/exe", arguments: ["tenure"] + arguments, environment: environment)
    }

    /// - Parameter arguments: with the name that the program sees as its own.
    package init(program: String, arguments: [String], environment: [String: String]) throws {
        var ends: [Int32] = [-1, -1]
        // Not inherited by a child that another thread starts just then.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw Failure("can't connect to a child: \(String(cString: strerror(errno)))")
        }
        defer { close(ends[0]) }
        leash = ends[1]
        do {
            id = try Self.spawn(program, arguments, environment, input: ends[0])
        } catch {
            close(ends[1])
            throw error
        }
        // A thread each: a child lives long, and there are few.
        DispatchQueue(label: "tenure.child.\(id)").async { [self] in
            var status: Int32 = 0
            while waitpid(id, &status, 0) == -1, errno == EINTR {}
            let signal = status & 0x7F
            finish(signal == 0 ? .code(status >> 8 & 0xFF) : .signal(signal))
        }
    }

    deinit { close(leash) }

    /// Asks the process to end, and kills it when it takes too long.
    package func terminate(killingAfter limit: Duration) {
        send(SIGTERM)
        let deadline = DispatchTime.now() + .milliseconds(Int(limit / .milliseconds(1)))
        DispatchQueue.global().asyncAfter(deadline: deadline) { [weak self] in self?.send(SIGKILL) }
    }

    /// Not ended by a cancellation: the process is what is waited for.
    package func waitForEnd() async -> End {
        await withCheckedContinuation { continuation in
            let end = state.withLock { state in
                if state.end == nil { state.waiters.append(continuation) }
                return state.end
            }
            if let end { continuation.resume(returning: end) }
        }
    }

    /// Under the lock, so that the number isn't somebody else's by now.
    private func send(_ signal: Int32) {
        state.withLock { state in
            if state.end == nil { kill(id, signal) }
        }
    }

    private func finish(_ end: End) {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            state.end = end
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: end) }
    }
}

extension ChildProcess {
    private static func spawn(
        _ program: String, _ arguments: [String], _ environment: [String: String],
        input: Int32
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        return try spawnApart(
            program, arguments, environment: merged(environment), upTo: STDERR_FILENO, &actions)
    }

    private static func merged(_ changes: [String: String]) -> [String] {
        let all = ProcessInfo.processInfo.environment.merging(changes) { _, new in new }
        return all.map { "\($0.key)=\($0.value)" }
    }
}
