package import Foundation
import TenureSystem

extension Process {
    /// Waits until it has ended.
    ///
    /// Foundation's own wait is for the end of a socket that each child inherits which is started
    /// meanwhile: it lasts as long as the longest of these lives, and for ever where that one is a
    /// server that ends with the test which waits. Seen as tests that hung, or spun, for minutes.
    /// - Returns: its exit status; the signal's number where one has killed it.
    @discardableResult
    package func waitForEnd() -> Int32 {
        var end = siginfo_t()
        // It stays to be reaped: by Foundation, when it hears of it, or with this process.
        while waitid(P_PID, id_t(processIdentifier), &end, WEXITED | WNOWAIT) != 0 {
            guard errno != EINTR else { continue }
            // Foundation has reaped it, and is about to write down how it ended.
            while isRunning { usleep(1000) }
            return terminationStatus
        }
        return end._sifields._sigchld.si_status
    }
}
