#if os(Linux)
    import TenureLibc

    /// A socket set over epoll, with a wake-up and a CLOCK_BOOTTIME timer in it.
    final class EpollSet: SocketSet {
        #if canImport(Glibc)
            private static let readable = EPOLLIN.rawValue | EPOLLRDHUP.rawValue
            private static let writable = EPOLLOUT.rawValue
        #else
            private static let readable = UInt32(EPOLLIN | EPOLLRDHUP)
            private static let writable = UInt32(EPOLLOUT)
        #endif
        // No socket's: those count from 1 up.
        private static let wakeToken: UInt64 = .max
        private static let timerToken: UInt64 = .max - 1

        private let set: Int32
        private let wakeUp: Int32
        private let timer: Int32

        init() {
            set = epoll_create1(Int32(EPOLL_CLOEXEC))
            wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
            timer = timerfd_create(System.clock, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
            precondition(
                set >= 0 && wakeUp >= 0 && timer >= 0, "no descriptors left for a reactor")
            _ = add(wakeUp, token: Self.wakeToken)
            _ = add(timer, token: Self.timerToken)
        }

        deinit { for descriptor in [set, wakeUp, timer] { close(descriptor) } }

        func add(_ descriptor: Int32, token: UInt64) -> Bool {
            control(EPOLL_CTL_ADD, descriptor, token, Self.readable)
        }

        func setWantsOutput(_ wants: Bool, _ descriptor: Int32, token: UInt64) {
            let events = wants ? Self.readable | Self.writable : Self.readable
            _ = control(EPOLL_CTL_MOD, descriptor, token, events)
        }

        func remove(_ descriptor: Int32, token: UInt64) {
            _ = control(EPOLL_CTL_DEL, descriptor, token, 0)
        }

        private func control(
            _ verb: Int32, _ descriptor: Int32, _ token: UInt64, _ events: UInt32
        ) -> Bool {
            var event = epoll_event()
            event.events = events
            event.data.u64 = token
            return epoll_ctl(set, verb, descriptor, &event) == 0
        }

        func wake() {
            var one: UInt64 = 1
            _ = write(wakeUp, &one, 8)
        }

        func setTimer(_ nanoseconds: Int64?) {
            var time = itimerspec()
            if let nanoseconds {
                let nanoseconds = max(nanoseconds, 1)
                time.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
                time.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
            }
            timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &time, nil)
        }

        func wait(block: Bool) -> [UInt64] {
            withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: 64) { buffer in
                let count = epoll_wait(set, buffer.baseAddress, 64, block ? -1 : 0)
                var ready: [UInt64] = []
                for index in 0..<max(0, Int(count)) {
                    switch buffer[index].data.u64 {
                    case Self.wakeToken: drain(wakeUp)
                    case Self.timerToken: drain(timer)
                    case let token: ready.append(token)
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
#endif
