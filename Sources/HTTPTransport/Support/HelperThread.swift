import Glibc

/// A thread for calls that block: nothing that blocks runs on the cooperative pool.
///
/// It takes no signals: they belong to the program's threads, and a SIGPIPE raised by a write of
/// this one must not end the process.
enum HelperThread {
    static func start(_ body: @escaping @Sendable () -> Void) {
        let main = Unmanaged.passRetained(Main(body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<Main>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, main.toOpaque())
        precondition(code == 0, "no thread could be started: error \(code)")
    }

    private final class Main: Sendable {
        let body: @Sendable () -> Void

        init(body: @escaping @Sendable () -> Void) {
            self.body = body
        }

        func run() {
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            body()
        }
    }
}
