import TenureFoundation
import TenureSystem

/// The processes that run in a cluster's folder, whoever started them: every PostgreSQL process
/// has the data folder as its working directory. Unlike the number in `postmaster.pid`, that
/// can't be somebody else's by now.
struct ServerProcesses {
    let data: String

    /// The postmaster first, then its children.
    func all() -> [pid_t] {
        let postmaster = postmasterPID
        let pids = System.processes(in: data)
        return pids.sorted { ($0 != postmaster ? 1 : 0, $0) < ($1 != postmaster ? 1 : 0, $1) }
    }

    /// Kills them all and returns when they are gone.
    func kill() {
        while true {
            let pids = all()
            if pids.isEmpty { return }
            for pid in pids { TenureSystem.kill(pid, SIGKILL) }
            usleep(2_000)
        }
    }

    /// Ends what a dead owner left running: a fast shutdown, then harder ones.
    func endOrphans(_ cancellation: Cancellation) throws {
        for (signal, seconds) in [(SIGINT, 20), (SIGQUIT, 5)] {
            let deadline = ContinuousClock.now + .seconds(seconds)
            while let postmaster = all().first {
                try cancellation.check()
                TenureSystem.kill(postmaster, signal)
                usleep(20_000)
                if ContinuousClock.now > deadline { break }
            }
        }
        kill()
    }

    private var postmasterPID: pid_t? {
        // Reason for `try?`: no file, no postmaster.
        (try? String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8))
            .flatMap { pid_t($0.prefix { $0.isNumber }) }
    }
}
