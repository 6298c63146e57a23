import Glibc
import TenureLibpq

/// A thread for a call that blocks, or for a loop: neither belongs on the cooperative pool.
enum HelperThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a detached thread that takes no signals.
    ///
    /// - Returns: false when the system has no thread to give; `body` then never runs.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let named: @Sendable () -> Void = {
            System.nameThread(name)
            body()
        }
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let argument = Unmanaged.passRetained(Body(named))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        if status != 0 {
            argument.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
