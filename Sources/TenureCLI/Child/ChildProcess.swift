import Dispatch
import EmbeddedPostgres
import Synchronization
import TenureFoundation
package import TenureSystem

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
            program: System.ownProgram, arguments: ["tenure"] + arguments, environment: environment)
    }

    /// - Parameter arguments: with the name that the program sees as its own.
    package init(program: String, arguments: [String], environment: [String: String]) throws {
        // Not inherited by a child that another thread starts just then.
        guard let (input, leash) = System.socketPair() else {
            throw Failure("can't connect to a child: \(String(cString: strerror(errno)))")
        }
        defer { close(input) }
        self.leash = leash
        do {
            id = try Self.spawn(program, arguments, environment, input: input)
        } catch {
            close(leash)
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
        var child = Program(program, arguments, environment: merged(environment))
        child.descriptors = [(input, STDIN_FILENO)]
        child.blocksNoSignals = true
        child.lastDescriptor = STDERR_FILENO
        do {
            return try child.start()
        } catch {
            throw Failure("can't start \(program): \(String(cString: strerror(error.errno)))")
        }
    }

    private static func merged(_ changes: [String: String]) -> [String] {
        let all = ProcessInfo.processInfo.environment.merging(changes) { _, new in new }
        return all.map { "\($0.key)=\($0.value)" }
    }
}
