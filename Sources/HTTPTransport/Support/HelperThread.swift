import TenureSystem

/// A thread for calls that block: nothing that blocks runs on the cooperative pool.
enum HelperThread {
    static func start(_ body: @escaping @Sendable () -> Void) {
        let hasStarted = System.startThread(body: body)
        precondition(hasStarted, "no thread could be started")
    }
}
