import TenureSystem

/// A socket set over `poll(2)`, which every system has: for those without epoll. What others change
/// while it waits ends the wait, so that the next one knows.
final class PollSet: SocketSet {
    private struct Socket {
        let descriptor: Int32
        var events = Int16(POLLIN)
    }

    private struct State {
        var sockets: [UInt64: Socket] = [:]
        var timer: Instant?
        /// The reactor's thread is in the kernel, or about to be, with what was known then.
        var isWaiting = false
    }

    /// `poll` counts by a clock that stands still while the machine sleeps.
    private static let longestNap: Duration = .seconds(1)

    private let state = Lock(State())
    private let wakeUp: (read: Int32, write: Int32)

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no descriptors left for a reactor")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wakeUp = (ends[0], ends[1])
    }

    deinit {
        close(wakeUp.read)
        close(wakeUp.write)
    }

    func add(_ descriptor: Int32, token: UInt64) -> Bool {
        change { $0[token] = Socket(descriptor: descriptor) }
        return true
    }

    func setWantsOutput(_ wants: Bool, _ descriptor: Int32, token: UInt64) {
        change { $0[token]?.events = Int16(wants ? POLLIN | POLLOUT : POLLIN) }
    }

    func remove(_ descriptor: Int32, token: UInt64) {
        // A wait that still has it is left alone: its answer leads nowhere.
        _ = state.withLock { $0.sockets.removeValue(forKey: token) }
    }

    func wake() {
        // A full pipe wakes as well.
        _ = write(wakeUp.write, [1], 1)
    }

    func setTimer(_ nanoseconds: Int64?) {
        state.withLock { $0.timer = nanoseconds.map { Instant(nanoseconds: $0) } }
    }

    func wait(block: Bool) -> [UInt64] {
        var tokens: [UInt64] = []
        var polled = [pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0)]
        let timer = state.withLock { state in
            state.isWaiting = block
            for (token, socket) in state.sockets {
                tokens.append(token)
                polled.append(pollfd(fd: socket.descriptor, events: socket.events, revents: 0))
            }
            return state.timer
        }
        let count = poll(&polled, nfds_t(polled.count), block ? Self.milliseconds(until: timer) : 0)
        state.withLock { $0.isWaiting = false }
        guard count > 0 else { return [] }
        if polled[0].revents != 0 { drain() }
        return zip(tokens, polled.dropFirst()).filter { $1.revents != 0 }.map(\.0)
    }

    private func change(_ body: (inout [UInt64: Socket]) -> Void) {
        let isWaiting = state.withLock { state in
            body(&state.sockets)
            return state.isWaiting
        }
        if isWaiting { wake() }
    }

    /// Rounded up: an early look would find nothing due.
    private static func milliseconds(until timer: Instant?) -> Int32 {
        guard let timer else { return -1 }
        let left = min(timer - .now, longestNap).wholeNanoseconds
        return Int32((left + 999_999) / 1_000_000)
    }

    private func drain() {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while read(wakeUp.read, &bytes, bytes.count) == bytes.count {}
    }
}
