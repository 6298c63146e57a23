import Glibc

/// A thread for blocking calls.
package func runThread(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { argument in
            Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Box(body)).toOpaque())
    pthread_detach(thread)
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

/// Seconds of CLOCK_BOOTTIME: the same for all processes of a machine, and never stepped.
package func bootTime() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec / 1000) / 1e6
}
