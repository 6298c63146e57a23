import Glibc
import TenureLibpq

/// The kernel's side of the reactor: an epoll set with a wake-up and a CLOCK_BOOTTIME timer in it.
struct Epoll: ~Copyable, Sendable {
    struct Ready {
        let token: UInt64
        let events: UInt32
    }

    static let readable = EPOLLIN.rawValue | EPOLLRDHUP.rawValue
    static let writable = EPOLLOUT.rawValue
    /// Tokens below this one are the set's own.
    static let firstToken: UInt64 = 2
    private static let wakeToken: UInt64 = 0
    private static let timerToken: UInt64 = 1

    private let set: Int32
    private let wakeUp: Int32
    private let timer: Int32

    init() {
        set = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        timer = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        precondition(set >= 0 && wakeUp >= 0 && timer >= 0, "no descriptors left for a reactor")
        _ = add(wakeUp, token: Self.wakeToken)
        _ = add(timer, token: Self.timerToken)
    }

    func add(_ descriptor: Int32, token: UInt64) -> Bool {
        var event = epoll_event()
        event.events = Self.readable
        event.data.u64 = token
        return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) == 0
    }

    func change(_ descriptor: Int32, token: UInt64, events: UInt32) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = token
        epoll_ctl(set, EPOLL_CTL_MOD, descriptor, &event)
    }

    func remove(_ descriptor: Int32) {
        var event = epoll_event()
        epoll_ctl(set, EPOLL_CTL_DEL, descriptor, &event)
    }

    func wake() {
        var one: UInt64 = 1
        _ = write(wakeUp, &one, 8)
    }

    /// Ends a wait at `instant`; nil: not at all.
    func setTimer(_ instant: Instant?) {
        var time = itimerspec()
        if let instant {
            let nanoseconds = max(instant.nanoseconds, 1)
            time.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
            time.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        }
        timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &time, nil)
    }

    /// - Parameter block: false to look without waiting.
    func wait(block: Bool) -> [Ready] {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { buffer in
            let count = epoll_wait(set, buffer.baseAddress, 64, block ? -1 : 0)
            var ready: [Ready] = []
            for index in 0..<max(0, Int(count)) {
                let token = buffer[index].data.u64
                switch token {
                case Self.wakeToken: drain(wakeUp)
                case Self.timerToken: drain(timer)
                default: ready.append(Ready(token: token, events: buffer[index].events))
                }
            }
            return ready
        }
    }

    private func drain(_ descriptor: Int32) {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
