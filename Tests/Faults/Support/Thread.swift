import TenureSystem

/// A thread for blocking calls.
package func runThread(_ body: @escaping @Sendable () -> Void) {
    let hasStarted = System.startThread(body: body)
    precondition(hasStarted, "no thread left for a blocking call")
}

package struct ProcessFailure: Error, CustomStringConvertible {
    package let what: String
    package let errno: Int32

    package init(what: String, errno: Int32 = 0) {
        self.what = what
        self.errno = errno
    }

    package var description: String {
        errno == 0 ? what : "\(what): \(String(cString: strerror(errno)))"
    }
}

/// Seconds since the machine's start: the same for all processes of a machine, and never stepped.
package func bootTime() -> Double {
    var now = timespec()
    clock_gettime(System.clock, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec / 1000) / 1e6
}
