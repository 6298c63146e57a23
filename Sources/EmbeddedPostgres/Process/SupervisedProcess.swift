import Dispatch
import Synchronization
import TenureSystem

/// A program under a `Supervisor`. It ends when this value goes, at the latest.
final class SupervisedProcess: Sendable {
    /// How the program ended; the shell itself may have been killed.
    enum End: Equatable {
        case status(Int32)
        case unknown
    }

    private let pid: pid_t
    private let channel: Int32
    private let end = Mutex<End?>(nil)
    private let isReleased = Mutex(false)

    init(
        _ command: [String], output: Int32, temporary: String = "", sockets: String = ""
    ) throws {
        let (ours, theirs) = try makeSocketPair()
        defer { close(theirs) }
        channel = ours
        do {
            pid = try Program.start(
                Supervisor.arguments(for: command, temporary: temporary, sockets: sockets),
                environment: Supervisor.environment, output: output, channel: theirs)
        } catch {
            close(ours)
            throw error
        }
    }

    /// Waits for the program's end; `nil` when the time is over first.
    func waitForEnd(_ limit: Duration = .seconds(86_400)) -> End? {
        end.withLock { end in
            if end != nil { return end }
            var waited = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
            guard poll(&waited, 1, limit.milliseconds) > 0 else { return nil }
            end = readStatus()
            return end
        }
    }

    /// Ends the program if it still runs and returns when it and its supervisor are gone.
    /// - Parameter leavingFolders: whether the folders named at the start stay.
    func finish(leavingFolders: Bool = true) {
        if leavingFolders {
            // Without SIGPIPE, and without an error of interest: a shell that isn't there any
            // more has nothing to stop.
            _ = System.send(channel, "stop\n", 5)
            _ = waitForEnd()
        }
        release { reap($0) }
    }

    deinit {
        release { pid in DispatchQueue(label: "tenure.reaper").async { reap(pid) } }
    }

    private func release(_ reap: (pid_t) -> Void) {
        let isFirst = isReleased.withLock { isReleased in
            defer { isReleased = true }
            return !isReleased
        }
        guard isFirst else { return }
        close(channel)
        reap(pid)
    }

    private func readStatus() -> End {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(channel, &bytes, bytes.count)
        guard count > 0 else { return .unknown }
        let digits = String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self)
        return Int32(digits).map { .status($0) } ?? .unknown
    }
}

private func reap(_ pid: pid_t) {
    while waitpid(pid, nil, 0) == -1, errno == EINTR {}
}

extension Duration {
    /// Whole milliseconds, at least 1, as `poll` wants them.
    var milliseconds: Int32 {
        Int32(clamping: max(1, Int64(self / .milliseconds(1))))
    }
}
