import Glibc

/// What a handler leaves behind that is about to kill its process.
struct CrashNote {
    let folder: String
    let pid: pid_t
    private var path: String { "\(folder)/crash-\(pid)" }

    func write(_ job: String) throws { try Files.write(Array(job.utf8), to: path) }

    /// The job whose handler it was; nil when the process ended in another way.
    func read() -> String? { Files.read(path) }
}
