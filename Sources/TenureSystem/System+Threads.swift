import TenureLibc

extension System {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread. It takes no signals: they belong to the program's other threads,
    /// and a SIGPIPE raised by a write of this one must not end the process.
    ///
    /// - Parameter name: the system keeps 15 bytes of it, or more.
    /// - Returns: false when the system has no thread to give; `body` then never runs.
    package static func startThread(
        _ name: String? = nil, body: @escaping @Sendable () -> Void
    ) -> Bool {
        let named: @Sendable () -> Void = {
            if let name { tenure_name_thread(name) }
            body()
        }
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let argument = Unmanaged.passRetained(Body(named))
        let failure = tenure_start_thread(
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        if failure != 0 { argument.release() }
        return failure == 0
    }
}
